// What is said, in the language that is spoken.

function w(key, values = {}) {
  let text = catalogue[at.language]?.[key] ?? catalogue[game.languages[0]]?.[key] ?? key;
  if (typeof text === "object") {
    const form = new Intl.PluralRules(at.language).select(Number(values[text.by ?? "count"] ?? 0));
    text = text[form] ?? text.other;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => name in values ? String(values[name]) : whole);
}
const t = (key, values) => w(`ui.${key}`, values);
const said = (text) => Array.isArray(text) ? text[game.languages.indexOf(at.language)] ?? text[0] : text ?? "";
const label = (piece) => game.judged || game.accounts ? pieces[piece].id : said(pieces[piece].n) || pieces[piece].id;
const number = (value) => new Intl.NumberFormat(at.language, { maximumFractionDigits: 2 }).format(value);
const sideName = (side) => sides[side] ? said(sides[side].n) : "";
const player = (side) => sides[side]?.p ? `${sideName(side)} (${sides[side].p})` : sideName(side);
