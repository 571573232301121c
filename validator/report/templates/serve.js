// The pages of `validator serve`: files are dropped or chosen, a turn is pasted, and the answer is gone to.
const token = document.querySelector('meta[name="token"]').content;
const { up, lang } = document.body.dataset;

async function send(form, address, body) {
  const said = form.querySelector(".said");
  const buttons = form.querySelectorAll("button, input");
  said.classList.remove("bad");
  said.textContent = form.dataset.busy ?? "";
  for (const button of buttons) button.disabled = true;
  try {
    const answer = await fetch(`${address}?lang=${lang}`, { method: "POST", body, headers: { "x-hexforge-token": token } });
    const told = await answer.json();
    if (answer.ok) { location.assign(new URL(told.to, answer.url.replace(/\?.*$/, ""))); return; }
    complain(said, told.message);
  } catch {
    complain(said, form.dataset.lost);
  }
  for (const button of buttons) button.disabled = false;
}

function complain(said, what) {
  said.classList.add("bad");
  said.textContent = what;
}

function receive() {
  const form = document.getElementById("form");
  const [drop, file, text] = ["drop", "file", "text"].map((id) => document.getElementById(id));
  const judge = (files) => {
    const body = new FormData();
    for (const one of files) body.append("file", one, one.name);
    if (!files.length) body.append("text", text.value);
    const size = [...files].reduce((sum, one) => sum + one.size, text.value.length);
    if (size > form.dataset.most * 1e6) complain(form.querySelector(".said"), form.dataset.large);
    else send(form, `${up}judge`, body);
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); judge([...file.files]); });
  file.addEventListener("change", () => { if (file.files.length) judge([...file.files]); });
  text.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit(); });
  const over = (on) => drop.classList.toggle("over", on);
  addEventListener("dragover", (event) => { event.preventDefault(); over(true); });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    const files = [...event.dataTransfer.files];
    if (files.length) judge(files);
    else if (event.dataTransfer.getData("text")) text.value = event.dataTransfer.getData("text");
  });
  addEventListener("paste", (event) => {
    const files = [...event.clipboardData.files];
    if (files.length) judge(files);
    else if (document.activeElement !== text) { text.value = event.clipboardData.getData("text"); text.focus(); }
  });
  // Who comes back finds the form as it was left, but not what was chosen.
  addEventListener("pageshow", () => { file.value = ""; });
}

if (document.getElementById("form")) receive();
document.getElementById("forget")?.addEventListener("submit", (event) => {
  event.preventDefault();
  send(event.target, event.target.dataset.to, new FormData());
});

// A turn is changed and judged again; a reading that is proposed for a line takes its place in it.
for (const form of document.querySelectorAll("form.again")) {
  const text = form.querySelector("textarea");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = new FormData();
    body.append("text", text.value);
    send(form, `${up}judge`, body);
  });
}
for (const button of document.querySelectorAll("button[data-put]")) {
  button.addEventListener("click", () => {
    const form = document.getElementById(button.dataset.form);
    const text = form.querySelector("textarea");
    const quote = button.dataset.quote.replace(/…$/, "").trim();
    const lines = text.value.split("\n");
    const at = lines.findIndex((line) => line.trim().startsWith(quote));
    if (at < 0) return;
    lines[at] = button.dataset.put;
    text.value = lines.join("\n");
    for (const other of button.parentElement.querySelectorAll("button")) other.disabled = other !== button;
    form.closest("details").open = true;
    form.querySelector("button").focus();
  });
}
