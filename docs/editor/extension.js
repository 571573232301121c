"use strict";
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration("hexforge").get("command");
  client = new LanguageClient(
    "hexforge",
    "Hexforge",
    { command, args },
    { documentSelector: [{ language: "hexforge-sheet" }] },
  );
  return client.start();
};

exports.deactivate = () => client?.stop();
