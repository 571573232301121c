// What two have changed differently, laid before him who saves: he says which of the two holds.
import { $, el, w } from "./common.js";

const ROWS = 60;

/** What a value says, as far as a line has room for it. */
function spoken(value, clash, names) {
  if (value === null || value === undefined || value === "") return w("nothing");
  if (clash.kind === "terrain") return `${names.terrain(value[0])} · ${names.from(value[1])}`;
  if (clash.kind === "grid") return `${value[0].columns} × ${value[0].rows}`;
  if (Array.isArray(value)) return value.join(" ");
  if (typeof value === "object") return [value.name, value.id, (value.hexes ?? value.sides ?? []).join(" "), value.image].filter(Boolean).join(" · ") || JSON.stringify(value);
  return String(value);
}

/** Ask for each clash which of the two is to hold; null if he closes the question. Many may be decided at once. */
export function decide(clashes, names, label = (clash) => `${clash.subject} · ${w(`clash-${clash.kind}`)}`) {
  const chosen = Object.fromEntries(clashes.map((it) => [it.key, "mine"]));
  const lines = clashes.slice(0, ROWS).map((clash, i) => {
    const radio = (which) => el("label", {}, el("input", { type: "radio", name: `clash-${i}`, value: which, checked: which === "mine", onchange: () => { chosen[clash.key] = which; } }), el("span", {}, el("small", {}, w(which)), el("br"), spoken(clash[which], clash, names)));
    return el("fieldset", { class: "clash" }, el("legend", {}, label(clash)), radio("mine"), radio("theirs"));
  });
  const all = (which) => el("button", { type: "button", onclick: () => {
    for (const key of Object.keys(chosen)) chosen[key] = which;
    for (const box of dialog.querySelectorAll(`input[value="${which}"]`)) box.checked = true;
  } }, w(`all-${which}`));
  const dialog = el("dialog", { class: "clashes", "aria-labelledby": "clashes-title" },
    el("h2", { id: "clashes-title" }, w("clashes", { count: clashes.length })), el("p", {}, w("clashes-how")),
    el("p", { class: "row" }, all("mine"), all("theirs")),
    el("div", { class: "list", tabindex: 0, role: "group", "aria-label": w("clashes", { count: clashes.length }) }, lines, clashes.length > ROWS ? el("p", { class: "muted" }, w("clashes-more", { count: clashes.length - ROWS })) : null),
    el("p", { class: "row" }, el("button", { type: "button", id: "decided", class: "main", onclick: () => dialog.close("done") }, w("decided")), el("button", { type: "button", onclick: () => dialog.close("") }, w("not-now"))));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => { const done = dialog.returnValue === "done"; dialog.remove(); resolve(done ? chosen : null); $("pad")?.focus(); });
  });
}
