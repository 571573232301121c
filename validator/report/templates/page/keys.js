// The keys of the replay page.

const KEYS = {
  ArrowLeft: "back", ArrowRight: "forward", PageUp: "phase-back", PageDown: "phase-forward", Home: "first", End: "last",
  "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", 0: "fit", f: "follow", " ": "play",
};

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const inside = event.target.closest("input, select, textarea, [role=tab], .report");
  if (inside && inside.id !== "slider") return;
  if (event.key === " " && event.target.closest("button")) return;
  if (inside?.id === "slider" && !event.shiftKey) return;
  const scrolled = event.target.closest(".panel, .detail") && ["PageUp", "PageDown", "Home", "End"].includes(event.key);
  if (scrolled) return;
  let deed = KEYS[event.key];
  if (event.shiftKey && deed === "back") deed = "finding-back";
  if (event.shiftKey && deed === "forward") deed = "finding-forward";
  if (event.key === "z") {
    const every = at.zones.size === sides.length;
    sides.forEach((_, side) => every ? at.zones.delete(side) : at.zones.add(side));
    drawControls();
    drawPlace();
    drawBoard();
  } else if (deed) {
    event.preventDefault();
    if (deed !== "play") play(false);
    deeds[deed]();
  }
}
