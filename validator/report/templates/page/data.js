// What the page was given, and what it remembers of whoever looks at it.

async function unpacked() {
  const bytes = Uint8Array.from(atob($("data").textContent.trim()), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function remembered(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(`hexforge.${key}`);
    localStorage.setItem(`hexforge.${key}`, value);
  } catch { /* pages opened as files may have no memory */ }
  return null;
}

const { replay: game, words: catalogue, pictures, reports, watch } = await unpacked();
const { steps, spots, pieces, sides, boards } = game;
let board = boards[0];
const at = { step: 0, language: game.languages[0], theme: "auto", tab: "steps", speed: 2, playing: 0, follow: true, map: 0, shown: null, zones: new Set(), spot: -1, unit: "" };
