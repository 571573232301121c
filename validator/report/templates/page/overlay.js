// What is drawn over and below the counters: ways, prices, zones, findings, combats.

const outline = ([, x, y], grow = 1) => board.o.length
  ? board.o.map(([dx, dy]) => `${x + dx * grow},${y + dy * grow}`).join(" ")
  : [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([dx, dy]) => `${x + dx * board.c * 0.6},${y + dy * board.c * 0.6}`).join(" ");

const polygon = (spot, attributes, grow) => svg("polygon", { points: outline(spots[spot], grow), ...attributes });

function arrow(way, colour) {
  const points = way.p.filter((spot, i) => spot !== way.p[i - 1] && onBoard(spot)).map((spot) => [spots[spot][1], spots[spot][2]]);
  const drawn = svg("g");
  if (points.length < 2) return drawn;
  const [[ax, ay], [bx, by]] = points.slice(-2);
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
  const tip = [bx - dx * 16, by - dy * 16];
  const neck = [tip[0] - dx * 20, tip[1] - dy * 20];
  const line = [...points.slice(0, -1), neck].map((p) => p.join(",")).join(" ");
  const common = { points: line, fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round" };
  const dashed = way.k === "attack" || way.k === "retreat" ? { "stroke-dasharray": way.k === "attack" ? "5 13" : "16 10" } : {};
  drawn.append(svg("polyline", { ...common, stroke: "#fff", "stroke-width": 13, "stroke-opacity": 0.85 }));
  drawn.append(svg("polyline", { ...common, stroke: colour, "stroke-width": 8, ...dashed }));
  const head = [tip, [neck[0] - dy * 13, neck[1] + dx * 13], [neck[0] + dy * 13, neck[1] - dx * 13]];
  drawn.append(svg("polygon", { points: head.map((p) => p.join(",")).join(" "), fill: colour, stroke: "#fff", "stroke-width": 2 }));
  return drawn;
}

/** The prices of a way, each on its hex. */
function prices(way, colour) {
  const drawn = svg("g");
  const places = new Map(way.p.map((spot) => [spots[spot][0], spot]));
  for (const [what, cost] of way.c ?? []) {
    const spot = places.get(said(what));
    if (spot === undefined) continue;
    const [, x, y] = spots[spot];
    drawn.append(svg("circle", { cx: x + 27, cy: y + 27, r: 15, fill: "#fff", stroke: colour, "stroke-width": 3 }));
    drawn.append(svg("text", { x: x + 27, y: y + 33.5, "text-anchor": "middle", "font-size": 19, "font-weight": 700, "font-family": "system-ui, sans-serif", fill: "#1f2421" }, number(cost)));
  }
  return drawn;
}

function burst(spot) {
  const [, x, y] = spots[spot];
  const points = Array.from({ length: 18 }, (_, i) => {
    const radius = i % 2 ? 13 : 26;
    return `${x + 30 + radius * Math.cos(i * Math.PI / 9)},${y - 30 + radius * Math.sin(i * Math.PI / 9)}`;
  });
  return svg("polygon", { points: points.join(" "), fill: "#f2b705", stroke: "#a61d24", "stroke-width": 3 });
}

const ORDER = ["illegal", "unread", "doubtful", "waived", "warning", "info"];
const worst = (notes) => ORDER.find((v) => notes.some((n) => game.notes[n].v === v));

function drawBoard() {
  const step = steps[at.step];
  const notes = notesAt.get(at.step) ?? [];
  const [under, over] = [[], []];
  for (const side of at.zones) {
    const colour = ZONES[side % ZONES.length];
    for (const spot of zones[side]) under.push(polygon(spot, { fill: colour, "fill-opacity": 0.2, stroke: colour, "stroke-opacity": 0.55, "stroke-width": 2 }, 0.97));
  }
  if (game.outlook && at.step === steps.length - 1 && game.outlook.reach[at.unit]) {
    for (const [spot, cost] of game.outlook.reach[at.unit]) {
      under.push(polygon(spot, { fill: "#2e7d50", "fill-opacity": 0.34, stroke: "#1f5f3f", "stroke-width": 2 }, 0.96));
      over.push(svg("text", { x: spots[spot][1], y: spots[spot][2] + 42, "text-anchor": "middle", "font-size": 20, "font-weight": 700, "font-family": "system-ui, sans-serif", fill: "#0d3a22", stroke: "#fff", "stroke-width": 4, "paint-order": "stroke" }, number(cost)));
    }
  }
  if (at.spot >= 0) over.push(polygon(at.spot, { fill: "none", stroke: "#fff", "stroke-width": 8 }, 0.95), polygon(at.spot, { fill: "none", stroke: "#1f5f8b", "stroke-width": 4 }, 0.95));
  for (const number of notes) {
    const note = game.notes[number];
    for (const spot of note.h ?? []) over.push(polygon(spot, { fill: "none", stroke: COLOURS[note.v], "stroke-width": 7 }, 0.93));
  }
  for (const way of step.w ?? []) {
    const own = notes.filter((n) => game.notes[n].l === way.l && game.notes[n].v !== "info");
    const colour = COLOURS[worst(own)] ?? WAYS[way.k];
    over.push(arrow(way, colour), prices(way, colour));
  }
  for (const fight of step.c ?? []) over.push(...fight.h.map(burst));
  for (const [spot, stack] of stacks) {
    if (stack.length < 2 || !onBoard(spot)) continue;
    const [, x, y] = spots[spot];
    over.push(svg("circle", { cx: x - 34, cy: y + 34, r: 12, fill: "#1f2421", "fill-opacity": 0.85 }));
    over.push(svg("text", { x: x - 34, y: y + 40, "text-anchor": "middle", "font-size": 17, "font-weight": 700, "font-family": "system-ui, sans-serif", fill: "#fff" }, String(stack.length)));
  }
  $("under").replaceChildren(...under);
  $("over").replaceChildren(...over);
  const bad = new Set(notes.flatMap((n) => game.notes[n].v === "info" ? [] : game.notes[n].u ?? []));
  const acting = new Set([...(step.w ?? []).flatMap((way) => way.u), ...bad]);
  tokens.forEach((token, piece) => {
    token?.classList.toggle("named", acting.has(pieces[piece].id));
    token?.classList.toggle("bad", bad.has(pieces[piece].id));
  });
}
