// Looking for a hex or a unit, and choosing one.

function seek(text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return;
  const piece = pieces.findIndex((one) => one.id.toLowerCase() === wanted || said(one.n).toLowerCase() === wanted);
  const spot = piece >= 0 ? lies[piece]?.[0] ?? -1 : spots.findIndex((one) => one[0].toLowerCase() === wanted);
  if (spot >= 0) select(spot, true);
}

function select(spot, keep = false) {
  at.spot = spot === at.spot && !keep ? -1 : spot;
  redraw();
  if (at.spot >= 0) {
    lookAt([at.spot]);
    // What lies there is told below the list, which a telephone has no room for.
    if (narrow.matches && !$("detail").closest(".wide")) $("detail").scrollIntoView({ block: "start" });
    const stack = stacks.get(spot) ?? [];
    $("said").textContent = stack.length ? `${t("units-at", { hex: hexName(spot), count: stack.length })}: ${stack.map(label).join(", ")}` : t("nobody-at", { hex: hexName(spot) });
    const own = stack.map((piece) => pieces[piece].id).filter((id) => game.outlook?.reach[id]);
    if (own.length && at.step === steps.length - 1) pick(own.at(-1));
  }
}

function pick(unit) {
  at.unit = unit;
  redraw();
}

function redraw() {
  drawBoard();
  drawDetail();
}
