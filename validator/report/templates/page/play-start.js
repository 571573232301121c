// How the table is laid, its buttons and its language.

const deeds = {
  undo: () => act({ do: "undo" }), redo: () => act({ do: "redo" }),
  drop: () => { forget(); at.spot = -1; drawAll(); },
  done: () => { ui.done = true; ui.fall = []; drawAll(); },
  end: () => {
    if (now.owed.length && !ui.ending) { forget(); at.spot = -1; ui.ending = true; drawAll(); return; }
    if (now.next) act({ do: "next" });
  },
  declare: () => { if (ui.plan && ui.preview) act({ do: "declare", ...ui.plan, insist: Boolean(ui.preview.objections.length) }); },
  throw: () => document.getElementById("throw")?.click(),
  "zoom-in": () => zoom(1.4, undefined, undefined, true), "zoom-out": () => zoom(1 / 1.4, undefined, undefined, true),
  fit: () => { camera.own = 0; fit(); },
  zones: () => { const every = at.zones.size === sides.length; sides.forEach((_, side) => every ? at.zones.delete(side) : at.zones.add(side)); drawAll(); },
  help: () => $("keys").showModal(),
  forward: () => {}, back: () => {},
};

function tool(deed, glyph) {
  const made = el("button", { type: "button", "data-deed": deed, onclick: () => deeds[deed]() }, glyph);
  name(made, deed === "zones" ? t("zones") : t(deed));
  return made;
}

const SENDS = ["eml", "sheet", "vlog", "html"];

async function send(form) {
  $("sending").hidden = true;
  $("send").setAttribute("aria-expanded", "false");
  const answer = await fetch(`send/${form}?lang=${at.language}`);
  if (!answer.ok) { ui.problem = (await answer.json()).message; drawAll(); return; }
  const named = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? `game.${form}`;
  const link = el("a", { href: URL.createObjectURL(await answer.blob()), download: named });
  link.click();
  URL.revokeObjectURL(link.href);
  $("said").textContent = named;
}

/** Put a file on the table that the other player sent. */
async function openFile(file) {
  try {
    const answer = await fetch(`open/${encodeURIComponent(file.name)}?lang=${at.language}`, { method: "POST", headers: { "x-hexforge-token": TOKEN }, body: file });
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.message);
    take(found);
    $("said").textContent = w("table.opened", { name: file.name });
  } catch (error) { ui.problem = error.message; drawAll(); }
}

function listenToDrops() {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
  });
}

async function copyText() {
  $("sending").hidden = true;
  try { await navigator.clipboard.writeText(now.text); $("said").textContent = t("linked"); } catch { ui.problem = w("table.no-copy"); drawAll(); }
}

async function speak(language) {
  at.language = language;
  document.documentElement.lang = language === "pt" ? "pt-BR" : language;
  document.title = said(game.title);
  $("title").textContent = said(game.title);
  all("[data-w]").forEach((one) => { one.textContent = t(one.dataset.w); });
  all("[data-l]").forEach((one) => one.setAttribute("aria-label", t(one.dataset.l)));
  pad.setAttribute("aria-label", t("board"));
  $("send").textContent = w("table.send");
  $("sending").replaceChildren(...SENDS.map((form) => el("button", { type: "button", "data-form": form, onclick: () => send(form) }, w(`table.send-${form}`))), el("button", { type: "button", onclick: copyText }, w("table.send-text")), el("label.open", {}, w("table.drop-file"), el("input", { type: "file", onchange: (event) => { $("sending").hidden = true; if (event.target.files[0]) openFile(event.target.files[0]); } })));
  name($("help"), t("keys"));
  const keys = [["←↑↓→ Enter", "cursor"], ["Shift", "shift"], ["d", "declare"], ["t", "throw-key"], ["e", "end"], ["u r", "undo-redo"], ["Esc", "drop"], ["+ − 0", "zooms"], ["z", "zone-key"]];
  $("keys").replaceChildren(el("h2", {}, t("keys")), el("dl", {}, keys.flatMap(([key, what]) => [el("dt", {}, key), el("dd", {}, w(`table.${what}`))])), el("form", { method: "dialog" }, el("button", {}, t("close"))));
  $("tools").replaceChildren(tool("zoom-in", icon("zoom-in")), tool("zoom-out", icon("zoom-out")), tool("fit", icon("fit")), tool("zones", svgHexes()));
  drawGround();
  dress(at.theme);
  take(await ask("state.json"));
}

function svgHexes() {
  const glyph = svg("svg", { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true", focusable: "false" });
  glyph.append(svg("polygon", { points: "7,3 17,3 22,12 17,21 7,21 2,12", fill: ZONES[0], "fill-opacity": 0.75, stroke: "currentColor", "stroke-width": 1.5 }));
  return glyph;
}

async function start() {
  const asked = document.body.dataset.lang;
  const kept = remembered("language");
  const chosen = game.languages.includes(kept) ? kept : asked;
  $("language").replaceChildren(...game.languages.map((code) => el("option", { value: code, selected: code === chosen, lang: code }, new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code)));
  $("language").onchange = (event) => { remembered("language", event.target.value); speak(event.target.value); };
  $("theme").onclick = () => { const next = { auto: "light", light: "dark", dark: "auto" }[at.theme]; remembered("theme", next); dress(next); };
  dark.onchange = () => dress(at.theme);
  at.theme = remembered("theme") ?? "auto";
  $("send").onclick = () => { const open = $("sending").hidden; $("sending").hidden = !open; $("send").setAttribute("aria-expanded", String(open)); };
  $("help").onclick = () => deeds.help();
  document.addEventListener("keydown", onTableKey);
  $("app").hidden = false;
  listenToBoard();
  followPointer();
  listenToDrops();
  await speak(chosen);
  fit(false);
  if (small.matches) lookAt([...now.targets.map((one) => one.h), ...now.movers.map(spotOf)].slice(0, 1));
}

start();
