// What of the board is seen, and how large.

const camera = { x: 0, y: 0, k: 0.2, own: 0 };
const pad = $("pad");
const view = $("view");

const wholeScale = () => Math.min(view.clientWidth / board.w, view.clientHeight / board.h) || 0.1;

function applyCamera(glide = false) {
  camera.k = Math.min(Math.max(camera.k, wholeScale() * 0.9), 3);
  const [wide, high] = [board.w * camera.k, board.h * camera.k];
  const held = (value, room, size) => size <= room ? (room - size) / 2 : Math.min(Math.max(value, room - size - 40), 40);
  camera.x = held(camera.x, view.clientWidth, wide);
  camera.y = held(camera.y, view.clientHeight, high);
  $("plane").classList.toggle("glide", glide);
  $("plane").style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.k})`;
  pad.classList.toggle("near", camera.k > wholeScale() * 1.05);
}

/** Look at another map; nothing of what is shown on this one stays. */
function unfold(number) {
  if (number === at.map || !boards[number]) return;
  [at.map, at.spot, camera.own] = [number, -1, 0];
  board = boards[number];
  for (const id of ["ground", "under", "over"]) {
    $(id).setAttribute("viewBox", `0 0 ${board.w} ${board.h}`);
    $(id).setAttribute("width", board.w);
    $(id).setAttribute("height", board.h);
  }
  drawGround();
  $("counters").replaceChildren();
  tokens.fill(null);
  if ($("maps")) $("maps").value = String(number);
  view.style.setProperty("--shape", `${board.w} / ${board.h}`);
  fit(false);
}

/** The picture of the map, with its names in the language that is spoken. */
function drawGround() {
  const parts = [`map${at.map + 1}-bare`, `map${at.map + 1}-${at.language}`].filter((id) => document.getElementById(id));
  $("ground").replaceChildren(...parts.map((id) => svg("use", { href: `#${id}` })));
}

function fit(glide = true) {
  camera.k = wholeScale();
  applyCamera(glide);
}

function zoom(factor, x = view.clientWidth / 2, y = view.clientHeight / 2, glide = false) {
  const old = camera.k;
  camera.k = Math.min(Math.max(old * factor, wholeScale() * 0.9), 3);
  camera.x = x - (x - camera.x) * camera.k / old;
  camera.y = y - (y - camera.y) * camera.k / old;
  camera.own = camera.k;
  applyCamera(glide);
}

/** Bring spots into view, large enough to read counters. */
function lookAt(list) {
  const found = list.filter(onBoard).map((spot) => spots[spot]);
  if (!found.length) return;
  const [left, right] = [Math.min(...found.map((s) => s[1])) - 120, Math.max(...found.map((s) => s[1])) + 120];
  const [top, bottom] = [Math.min(...found.map((s) => s[2])) - 120, Math.max(...found.map((s) => s[2])) + 120];
  const most = Math.min(view.clientWidth / (right - left), view.clientHeight / (bottom - top));
  const k = Math.max(Math.min(camera.own || Math.max(LEAST, wholeScale()), most), wholeScale());
  const seen = (value, size, room, origin) => value * camera.k + origin >= 0 && (value + size) * camera.k + origin <= room;
  if (camera.k >= LEAST * 0.9 && camera.k <= most && seen(left, right - left, view.clientWidth, camera.x) && seen(top, bottom - top, view.clientHeight, camera.y)) return;
  camera.k = k;
  camera.x = view.clientWidth / 2 - (left + right) / 2 * k;
  camera.y = view.clientHeight / 2 - (top + bottom) / 2 * k;
  applyCamera(true);
}
