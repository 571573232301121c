// Counters, from the one picture of all faces.

const tokens = pieces.map(() => null);

function face(piece, which, size, tag = "div.counter") {
  const name = pieces[piece].f?.[which] ?? pieces[piece].f?.[0];
  const rect = pictures.faces[name] ?? (game.judged ? undefined : pictures.faces[pieces[piece].f?.find((one) => pictures.faces[one])]);
  const made = el(tag);
  paint(made, piece, which, rect, size);
  return made;
}

function paint(made, piece, which, rect, size) {
  const back = which > 0;
  const [wide, high] = rect && pictures.natural && size === board.c ? [rect[2], rect[3]] : rect ? [size * rect[2] / Math.max(rect[2], rect[3]), size * rect[3] / Math.max(rect[2], rect[3])] : [size, size];
  made.style.width = `${wide}px`;
  made.style.height = `${high}px`;
  made.classList.toggle("drawn", Boolean(rect));
  made.classList.toggle("plain", !rect);
  made.classList.toggle("back", back);
  if (rect) {
    const scale = wide / rect[2];
    made.style.backgroundSize = `${pictures.size[0] * scale}px ${pictures.size[1] * scale}px`;
    made.style.backgroundPosition = `${-rect[0] * scale}px ${-rect[1] * scale}px`;
  } else {
    made.textContent = label(piece);
    made.style.background = sides[pieces[piece].s]?.c ?? "#ddd6c2";
  }
  return [wide, high];
}

function drawCounter(piece) {
  const where = lies[piece];
  if (!where || !onBoard(where[0])) {
    if (tokens[piece]) tokens[piece].hidden = true;
    return;
  }
  if (!tokens[piece]) {
    tokens[piece] = el("div.counter");
    $("counters").append(tokens[piece]);
  }
  const token = tokens[piece];
  token.hidden = false;
  const look = `${where[1]}`;
  if (token.dataset.look !== look) {
    const rect = pictures.faces[pieces[piece].f?.[where[1]] ?? pieces[piece].f?.[0]];
    [token.wide, token.high] = paint(token, piece, where[1], rect, board.c);
    token.dataset.look = look;
  }
  const stack = stacks.get(where[0]);
  const level = Math.min(stack.indexOf(piece), 5);
  const [, x, y] = spots[where[0]];
  const shift = level * 5 - Math.min(stack.length - 1, 5) * 2.5;
  token.style.transform = `translate(${x - token.wide / 2 + shift}px, ${y - token.high / 2 - shift}px)`;
  token.style.zIndex = level;
}
