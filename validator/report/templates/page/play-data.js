// What the table is made of, and how the referee behind it is asked.

const TOKEN = all("meta[name=token]")[0].content;

function remembered(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(`hexforge.${key}`);
    localStorage.setItem(`hexforge.${key}`, value);
  } catch { /* a browser may keep nothing */ }
  return null;
}

const { replay: game, words: catalogue, pictures } = await (await fetch("data.json")).json();
const { steps, spots, pieces, sides, boards } = game;
let board = boards[0];
const at = { step: 0, language: game.languages[0], theme: "auto", tab: "sheet", map: 0, zones: new Set(), spot: -1, unit: "" };

/** The referee's answer to a question or a deed. Throws what he has to say against it. */
async function ask(what, body) {
  const told = { method: "POST", headers: { "content-type": "application/json", "x-hexforge-token": TOKEN }, body: JSON.stringify(body) };
  waiting(1);
  try {
    const answer = await fetch(`${what}?lang=${at.language}`, body === undefined ? {} : told).catch(() => { throw new Error(w("table.gone")); });
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.message);
    return found;
  } finally { waiting(-1); }
}

let asked = 0;
function waiting(more) {
  asked += more;
  document.body.classList.toggle("busy", asked > 0);
}
