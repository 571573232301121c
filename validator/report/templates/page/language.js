// The language of the page, its colours and its tabs. The report in other languages is markup, which was
// escaped when it was made, and in which nothing may run.

const articles = new Map([[game.languages[0], document.querySelector("#report > article")]]);

/** The report in a language; pictures are moved into it from the one that was shown before. */
function article(language) {
  if (!articles.has(language) && reports[language]) {
    const made = el("article");
    made.append(...new DOMParser().parseFromString(reports[language], "text/html").body.childNodes);
    articles.set(language, made);
  }
  return articles.get(language);
}

function speak(language) {
  const [old, wanted] = [articles.get(at.language), article(language)];
  at.language = language;
  $("said").textContent = "";
  document.documentElement.lang = language === "pt" ? "pt-BR" : language;
  if (old && wanted && old !== wanted) {
    for (const part of [".scene", ".board", ".sheet"]) {
      const [from, to] = [old.querySelectorAll(part), wanted.querySelectorAll(part)];
      to.forEach((place, i) => { if (from[i]) place.replaceChildren(...from[i].childNodes); });
    }
    old.replaceWith(wanted);
  }
  document.title = `${said(game.title)}: ${game.source}`;
  $("title").replaceChildren(said(game.title), el("small", {}, game.source));
  const told = JSON.parse($("verdict").dataset.told);
  $("verdict").textContent = said(told);
  $("verdict").hidden = !said(told);
  all("[data-w]").forEach((one) => { one.textContent = t(one.dataset.w); });
  all("[data-l]").forEach((one) => one.setAttribute("aria-label", t(one.dataset.l)));
  $("slider").setAttribute("aria-label", t("slider"));
  pad.title = "";
  drawGround();
  drawTabs();
  drawControls();
  dress(at.theme);
  go(at.step, { quiet: true });
  tab(at.tab);
}

function drawTabs() {
  const known = [game.outlook ? "outlook" : "", "steps", game.notes.length || game.judged ? "findings" : "", game.talks.length ? "chat" : "", $("report").querySelector("article") ? "report" : ""].filter(Boolean);
  $("tabs").replaceChildren(...known.map((key) => el("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": "panel", onclick: () => tab(key) }, t(`tab-${key}`), key === "findings" && game.notes.length ? [" ", el("span.count", {}, number(worth.length))] : "")));
  $("tabs").setAttribute("aria-label", said(game.title));
  $("tabs").onkeydown = (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    tab(known[(known.indexOf(at.tab) + move + known.length) % known.length], true);
  };
}
