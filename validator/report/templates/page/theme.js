// Light and dark, and what buttons are called.

function name(button, text) {
  button.setAttribute("aria-label", text);
  button.title = text;
}

const dark = matchMedia("(prefers-color-scheme: dark)");

function dress(theme) {
  at.theme = theme;
  document.documentElement.dataset.theme = theme === "auto" ? dark.matches ? "dark" : "light" : theme;
  const shade = $("theme");
  shade.replaceChildren(icon("theme"));
  name(shade, t(`theme-${theme}`));
}
