// Mouse and fingers on the board.

function spotAt(clientX, clientY) {
  const box = view.getBoundingClientRect();
  const [x, y] = [(clientX - box.left - camera.x) / camera.k, (clientY - box.top - camera.y) / camera.k];
  let [best, distance] = [-1, board.o.length ? 62 : board.c];
  spots.forEach((spot, number) => {
    if (!onBoard(number) || (!board.o.length && !(stacks.get(number) ?? []).length)) return;
    const away = Math.hypot(spot[1] - x, spot[2] - y);
    if (away < distance) [best, distance] = [number, away];
  });
  return best;
}

function listenToBoard() {
  const down = new Map();
  let moved = 0;
  let start = null;
  pad.addEventListener("pointerdown", (event) => {
    pad.setPointerCapture(event.pointerId);
    down.set(event.pointerId, [event.clientX, event.clientY]);
    moved = 0;
    start = [event.clientX, event.clientY];
    pad.classList.add("held");
  });
  pad.addEventListener("pointermove", (event) => {
    const old = down.get(event.pointerId);
    if (!old) return;
    const [dx, dy] = [event.clientX - old[0], event.clientY - old[1]];
    moved += Math.abs(dx) + Math.abs(dy);
    const others = [...down].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    down.set(event.pointerId, [event.clientX, event.clientY]);
    if (others.length) {
      const box = view.getBoundingClientRect();
      const [x, y] = others[0];
      const grown = Math.hypot(event.clientX - x, event.clientY - y) / (Math.hypot(old[0] - x, old[1] - y) || 1);
      zoom(grown, (event.clientX + x) / 2 - box.left, (event.clientY + y) / 2 - box.top);
      moved = 99;
    } else if (pad.classList.contains("near") || event.pointerType === "mouse") {
      camera.x += dx;
      camera.y += dy;
      applyCamera();
    }
  });
  const up = (event) => {
    if (!down.delete(event.pointerId)) return;
    pad.classList.remove("held");
    if (event.type !== "pointerup") return;
    const swiped = event.clientX - start[0];
    if (moved < 8) select(spotAt(event.clientX, event.clientY), event.shiftKey);
    else if (!pad.classList.contains("near") && event.pointerType === "touch" && Math.abs(swiped) > 40) deeds[swiped < 0 ? "forward" : "back"]();
  };
  pad.addEventListener("pointerup", up);
  pad.addEventListener("pointercancel", up);
  pad.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = view.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  new ResizeObserver(() => { if (camera.k < wholeScale()) fit(false); else applyCamera(); }).observe(view);
}
