// The buttons and what they do.

const phaseStarts = steps.map((_, number) => number).filter((number) => number === 0 || steps[number].k === "turn");
// What is only for information is stepped to where there is nothing worse.
const worth = game.notes.some((note) => note.v !== "info") ? game.notes.filter((note) => note.v !== "info") : game.notes;
const noted = [...new Set(worth.map((note) => note.i))].sort((a, b) => a - b);
const later = (list) => list.find((number) => number > at.step);
const earlier = (list) => list.findLast((number) => number < at.step);

const narrow = matchMedia("(max-width: 860px)");
narrow.onchange = () => { drawControls(); drawPlace(); fit(false); };

const deeds = {
  first: () => go(0), last: () => go(steps.length - 1), back: () => go(at.step - 1), forward: () => go(at.step + 1),
  "phase-back": () => go(earlier(phaseStarts) ?? 0), "phase-forward": () => go(later(phaseStarts) ?? steps.length - 1),
  "finding-back": () => go(earlier(noted) ?? at.step), "finding-forward": () => go(later(noted) ?? at.step),
  play: () => play(!at.playing),
  "zoom-in": () => zoom(1.4, undefined, undefined, true), "zoom-out": () => zoom(1 / 1.4, undefined, undefined, true),
  fit: () => { camera.own = 0; setFollow(false); fit(); },
  follow: () => { setFollow(!at.follow); if (at.follow) lookAt(spotsOf(steps[at.step])); },
};

function setFollow(on) {
  at.follow = on;
  document.querySelector('[data-deed="follow"]')?.setAttribute("aria-pressed", String(on));
}

function play(on) {
  clearInterval(at.playing);
  at.playing = 0;
  if (on) {
    if (at.step === steps.length - 1) go(0);
    at.playing = setInterval(() => at.step === steps.length - 1 ? play(false) : go(at.step + 1), 1000 / at.speed);
  }
  const button = document.querySelector('[data-deed="play"]');
  button.replaceChildren(icon(at.playing ? "pause" : "play"));
  name(button, t(at.playing ? "pause" : "play"));
}

function button(deed, more = {}) {
  const made = el("button", { type: "button", "data-deed": deed, onclick: () => { if (deed !== "play") play(false); deeds[deed](); }, ...more }, icon(deed));
  name(made, t(deed));
  return made;
}

function toggleZone(side) {
  if (!at.zones.delete(side)) at.zones.add(side);
  drawControls();
  drawBoard();
}

function drawControls() {
  const turns = [...new Set(steps.map((step) => step.t))];
  const jump = el("select", { id: "turns", "aria-label": t("goto-turn"), title: t("goto-turn"), onchange: (event) => { play(false); go(steps.findIndex((step) => String(step.t) === event.target.value)); } },
    turns.map((turn) => el("option", { value: turn, selected: turn === steps[at.step].t }, said(game.turns[turn]) || String(turn))));
  const speed = el("select", { id: "speed", "aria-label": t("speed"), title: t("speed"), onchange: (event) => { at.speed = Number(event.target.value); if (at.playing) play(true); } },
    [0.5, 1, 2, 4, 8].map((n) => el("option", { value: n, selected: n === at.speed }, t("speed-of", { n: number(n) }))));
  const find = el("input", { type: "search", id: "find", list: "found", "aria-label": t("find"), placeholder: t("find"), autocomplete: "off", onchange: (event) => seek(event.target.value), onkeydown: (event) => { if (event.key === "Enter") seek(event.target.value); } });
  const marks = noted.length ? [button("finding-back"), button("finding-forward")] : [];
  const maps = boards.length > 1 ? el("select", { id: "maps", "aria-label": t("map"), title: t("map"), onchange: (event) => { setFollow(false); unfold(Number(event.target.value)); go(at.step, { quiet: true }); } },
    boards.map((one, number) => el("option", { value: number, selected: number === at.map }, one.n))) : "";
  document.querySelector(".more")?.remove();
  const more = el("div.more", {}, maps, turns.length > 1 ? jump : el("span", { hidden: true }, jump), speed, find);
  $("controls").replaceChildren(button("first", { class: "ends" }), button("phase-back"), button("back"), button("play"), button("forward"), button("phase-forward"), button("last", { class: "ends" }), ...marks, el("span.gap"));
  if (narrow.matches) $("strip").after(more); else $("controls").append(more);
  const zoneButtons = steps.some((step) => step.z) ? sides.map((side, which) => {
    const made = el("button", { type: "button", "aria-pressed": String(at.zones.has(which)), onclick: () => toggleZone(which) }, svgHex(ZONES[which % ZONES.length]));
    name(made, t("zone-of", { side: said(side.n) }));
    return made;
  }) : [];
  $("tools").replaceChildren(button("zoom-in"), button("zoom-out"), button("fit"), button("follow", { "aria-pressed": String(at.follow) }), ...zoneButtons);
}

function svgHex(colour) {
  const glyph = svg("svg", { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true", focusable: "false" });
  glyph.append(svg("polygon", { points: "7,3 17,3 22,12 17,21 7,21 2,12", fill: colour, "fill-opacity": 0.75, stroke: "currentColor", "stroke-width": 1.5 }));
  return glyph;
}
