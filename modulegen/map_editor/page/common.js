// What the pages share: asking the command that serves them, words, colours, small elements.

export const $ = (id) => document.getElementById(id);
const token = document.querySelector('meta[name="token"]').content;
export const state = { language: document.documentElement.lang.slice(0, 2), words: {}, theme: "auto" };

/** An element with attributes, `on…` handlers and children; text is only ever text. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") made[name] = value;
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A text of the catalogue in the reader's language. */
export function w(key, values = {}) {
  let text = state.words[state.language]?.[key] ?? state.words.en?.[key] ?? key;
  if (typeof text === "object") {
    const form = new Intl.PluralRules(state.language).select(Number(values[text.by ?? "count"] ?? 0));
    text = text[form] ?? text.other;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => name in values ? String(values[name]) : whole);
}

export class Refused extends Error {
  constructor(status, told) {
    super(told.message ?? String(status));
    Object.assign(this, { status, problems: told.problems ?? [], told });
  }
}

/** Ask the command; JSON, or a picture as a Blob. Throws Refused with what it says. */
export async function ask(deed, body = {}) {
  let answer;
  try {
    answer = await fetch(deed, {
      method: "POST",
      headers: { "content-type": "application/json", "x-hexforge-token": token },
      body: JSON.stringify({ language: state.language, ...body }),
    });
  } catch {
    throw new Refused(0, { message: w("gone") });
  }
  const json = (answer.headers.get("content-type") ?? "").includes("json");
  if (!answer.ok) throw new Refused(answer.status, json ? await answer.json() : {});
  return json ? answer.json() : answer.blob();
}

export const clone = (value) => JSON.parse(JSON.stringify(value));

export function say(text) {
  $("said").textContent = "";
  requestAnimationFrame(() => { $("said").textContent = text; });
}

let fading = 0;
/** A line that everybody sees for a while; what went wrong stays until it is closed. */
export function toast(text, kind = "good") {
  const bar = $("toast");
  clearTimeout(fading);
  bar.className = `toast ${kind}`;
  bar.replaceChildren(el("span", {}, text), el("button", { type: "button", "aria-label": w("close"), onclick: () => { bar.hidden = true; } }, "×"));
  bar.hidden = false;
  if (kind === "good") fading = setTimeout(() => { bar.hidden = true; }, 4000);
}

const THEMES = ["auto", "light", "dark"];
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };
const dim = matchMedia("(prefers-color-scheme: dark)");

function paint() {
  const dark = state.theme === "dark" || (state.theme === "auto" && dim.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  $("theme").textContent = SIGNS[state.theme];
  $("theme").title = w(`theme-${state.theme}`);
  $("theme").setAttribute("aria-label", w(`theme-${state.theme}`));
}

/** Language and colours, and all that stands in the page with `data-w` (text) or `data-l` (label). */
export function dress() {
  document.documentElement.lang = state.language === "pt" ? "pt-BR" : state.language;
  for (const it of document.querySelectorAll("[data-w]")) it.textContent = w(it.dataset.w);
  for (const it of document.querySelectorAll("[data-l]")) { it.setAttribute("aria-label", w(it.dataset.l)); it.title = w(it.dataset.l); }
  paint();
}

export function chooseLooks(redraw) {
  const names = (code) => new Intl.DisplayNames([code], { type: "language" }).of(code);
  $("language").replaceChildren(...Object.keys(state.words).map((code) => el("option", { value: code }, names(code))));
  $("language").value = state.language;
  $("language").addEventListener("change", () => { state.language = $("language").value; dress(); redraw(); });
  $("theme").addEventListener("click", () => { state.theme = THEMES[(THEMES.indexOf(state.theme) + 1) % 3]; paint(); });
  dim.addEventListener("change", paint);
}

/** Problems as a list; `lead` is given the names in one and says whether it leads anywhere. */
export function problemList(problems, lead) {
  if (!problems.length) return el("p", { class: "muted" }, w("no-problems"));
  return el("ul", { class: "problems" }, problems.map((it) => {
    const where = [it.file + (it.line ? `:${it.line}` : ""), it.where].filter(Boolean).join(" · ");
    const go = lead(it);
    const body = [el("small", {}, `${w(it.severity)} · ${where}`), el("span", {}, it.message)];
    return el("li", { class: it.severity }, go ? el("button", { type: "button", onclick: go }, ...body) : el("div", {}, ...body));
  }));
}
