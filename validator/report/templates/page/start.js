// How the page begins, and how one that is watched goes on.

function start() {
  const kept = remembered("language");
  const chosen = game.languages.includes(kept) ? kept : game.languages[0];
  $("language").replaceChildren(...game.languages.map((code) => el("option", { value: code, selected: code === chosen, lang: code }, new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code)));
  $("language").onchange = (event) => { remembered("language", event.target.value); speak(event.target.value); };
  $("theme").onclick = () => { const next = { auto: "light", light: "dark", dark: "auto" }[at.theme]; remembered("theme", next); dress(next); };
  dark.onchange = () => dress(at.theme);
  at.theme = remembered("theme") ?? "auto";
  $("slider").max = steps.length - 1;
  $("slider").oninput = (event) => { play(false); go(Number(event.target.value)); };
  $("ticks").replaceChildren(...noted.slice(0, 400).map((number) => {
    const tick = el(`i.tick.${worst(notesAt.get(number))}`);
    tick.style.left = `${number / Math.max(steps.length - 1, 1) * 100}%`;
    return tick;
  }));
  const known = el("datalist", { id: "found" }, [...new Set(pieces.map((_, piece) => label(piece)))].map((value) => el("option", { value })));
  document.body.append(known);
  $("panel").addEventListener("click", (event) => {
    const row = event.target.closest("[data-step]");
    if (row) { play(false); go(Number(row.dataset.step)); }
  });
  document.addEventListener("keydown", onKey);
  // What is printed is the report, which must not lie in what is left out then.
  const report = $("report");
  addEventListener("beforeprint", () => { if ($("panel").contains(report)) { document.body.append(report); report.hidden = true; } });
  addEventListener("afterprint", () => { if (at.tab === "report") { $("panel").replaceChildren(report); report.hidden = false; } });
  addEventListener("hashchange", () => { const wanted = linked(location.hash); if (wanted !== undefined && wanted !== at.step) go(wanted); });
  at.shown = new Set(ORDER.filter((kind) => kind !== "info" || worth === game.notes));
  $("report").hidden = true;
  $("app").hidden = false;
  listenToBoard();
  at.tab = game.outlook ? "outlook" : "steps";
  at.step = linked(location.hash) ?? (watch ? steps.length - 1 : 0);
  view.style.setProperty("--shape", `${board.w} / ${board.h}`);
  const left = watch ? takenUp() : null;
  if (left) {
    at.tab = left.tab;
    at.follow = left.follow;
    at.zones = new Set(left.zones);
    if (left.end) at.step = steps.length - 1;
  }
  speak(chosen);
  fit(false);
  if (left) { Object.assign(camera, left.camera); applyCamera(); } else if (at.follow) lookAt(spotsOf(steps[at.step]));
  if (watch) keepUp();
}

/** A page that is written anew while its sheet is edited: look at the new one, but never while somebody uses this. */
function keepUp() {
  let used = Date.now();
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "scroll"]) addEventListener(kind, () => { used = Date.now(); }, { capture: true, passive: true });
  setInterval(() => {
    if (document.hidden || at.playing || Date.now() - used < 2500) return;
    const left = { end: at.step === steps.length - 1, tab: at.tab, zones: [...at.zones], follow: at.follow, camera };
    try { sessionStorage.setItem("hexforge.left", JSON.stringify(left)); } catch { /* then it begins anew */ }
    location.reload();
  }, 3000);
}

/** What the page that stood here before showed. */
function takenUp() {
  try {
    const left = JSON.parse(sessionStorage.getItem("hexforge.left"));
    sessionStorage.removeItem("hexforge.left");
    return left;
  } catch { return null; }
}

start();
