"""The commands that read logs and mails, from outside."""

from __future__ import annotations

import json
import mailbox
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.vassal.save import read_save
from hexforge.validator.app.cli import main as validator
from tests.transcribe.modules import PLAYED, PLAYED_HURTGEN, log_from, module_of

EXAMPLE = Path(__file__).parents[2] / "scenarios/hurtgen/examples/turn2-mistakes.sheet"
ANA, BRUNO = PLAYED_HURTGEN / "ana-2.vlog", PLAYED_HURTGEN / "bruno-2.vlog"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(validator, [str(a) for a in arguments])


def test_a_log_of_ours_gives_a_sheet_that_check_judges_alike(tmp_path: Path) -> None:
    sheet = tmp_path / "turn2.sheet"
    assert run("transcribe", ANA, BRUNO, "-o", sheet).exit_code == 0
    of_sheet = json.loads(run("check", sheet, "--format", "json").stdout)
    of_logs = json.loads(run("check", ANA, BRUNO, "--format", "json").stdout)
    assert of_logs["combats"][0].pop("log") == "ana-2.vlog"
    assert of_logs["combats"][0].pop("step") == 14
    assert of_logs["combats"][0] == of_sheet["combats"][0]
    assert of_logs["position"] == of_sheet["position"]
    assert {f["line"] for f in of_sheet["findings"]} <= {f["line"] for f in of_logs["findings"]}


def test_findings_name_log_and_step() -> None:
    result = run("check", ANA, "--lang", "en")
    assert result.exit_code == 1
    assert "ana-2.vlog:3" in result.stdout


def test_a_sheet_makes_a_log_and_the_log_the_sheet(tmp_path: Path) -> None:
    log = tmp_path / "turn2.vlog"
    made = run("transcribe", EXAMPLE, "--to", log, "--module", module_of("hurtgen"))
    assert made.exit_code == 0, made.output
    assert read_save(log).is_log
    told = run("transcribe", log)
    assert "advance us-112-2 us-112-3 us-707-tank: 1007" in told.stdout


def test_without_a_module_a_sheet_makes_no_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sheet = tmp_path / "a.sheet"
    sheet.write_text("sheet 1\ngame hurtgen\n")
    (tmp_path / "a.vlog").write_bytes(b"old")
    result = run("transcribe", sheet, "--to", tmp_path / "a.vlog")
    assert result.exit_code == 2 and "modulegen build hurtgen" in result.stderr
    assert (tmp_path / "a.vlog").read_bytes() == b"old"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("transcribe", EXAMPLE), "--to LOG"),
        (("transcribe", PLAYED / "mini.vmod"), "savedGame"),
        (("check", "nowhere.vlog"), "nowhere.vlog"),
        (
            ("transcribe", EXAMPLE, "--to", "x.vlog", "--module", PLAYED / "mini.vmod"),
            "no module of the game hurtgen",
        ),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(arguments: tuple[str | Path, ...], said: str) -> None:
    result = run(*arguments, "--lang", "en")
    assert result.exit_code == 2
    assert said in result.stderr and len(result.stderr.strip().splitlines()) == 1


def test_json_tells_every_action() -> None:
    found = json.loads(run("transcribe", PLAYED / "a.vlog", PLAYED / "b-gap.vlog", "--format", "json").stdout)
    assert found["game"] is None and found["sheet"] is None
    assert [log["steps"] for log in found["logs"]] == [5, 3]
    (move,) = (e for e in found["actions"][0]["events"] if e["kind"] == "move")
    assert (move["from"], move["to"], move["piece"]["name"]) == ("0303", "0404", "red1")
    assert [f["code"] for f in found["findings"]] == ["log-chain"]
    ours = json.loads(run("transcribe", ANA, "--format", "json").stdout)
    assert ours["game"] == "hurtgen"
    assert len(ours["sheet"].splitlines()) == len(ours["lines"])


def test_a_record_is_to_be_had_of_our_modules_too() -> None:
    text = run("transcribe", "--record", "--lang", "pt", ANA).stdout
    assert "0806 -> 0907" in text and "desfaz o passo 9" in text


def test_salvage_reads_up_to_the_damage(tmp_path: Path) -> None:
    payload = read_save(ANA).root.encode()
    broken = tmp_path / "broken.vlog"
    archive = read_save(ANA)
    assert archive.module is not None
    broken.write_bytes(payload[: payload.rindex(b"LOG\t") - 40])
    assert run("transcribe", "--record", "--salvage", broken).exit_code == 0
    cut = tmp_path / "cut.vlog"
    cut.write_bytes(ANA.read_bytes()[:-600])
    assert run("transcribe", cut).exit_code == 2


def test_inspect_reveals_to_whom_it_belongs(tmp_path: Path) -> None:
    result = CliRunner().invoke(modulegen, ["inspect", str(PLAYED / "a.vlog"), "--reveal", "Red", "--json"])
    assert result.exit_code == 0 and json.loads(result.output)["kind"] == "log"


def test_help_comes_at_once() -> None:
    for command in ("check", "transcribe"):
        code = "from hexforge.validator.app.cli import main; import sys\n"
        code += f"sys.argv = ['validator', '{command}', '--help']\n"
        code += "try: main()\nexcept SystemExit: pass\n"
        code += "heavy = {'lxml', 'rich', 'pydantic', 'jinja2', 'PIL'} & set(sys.modules)\nassert not heavy, heavy"
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_log_of_no_game_that_is_known_loads_nothing_that_judges(tmp_path: Path) -> None:
    log = str(PLAYED / "a.vlog")
    code = f"from hexforge.validator.app.cli import main; import sys; sys.argv=['validator','transcribe',{log!r}]\n"
    code += "try: main()\nexcept SystemExit as end: assert not end.code, end.code\n"
    code += "needless = {'pydantic', 'email.message', 'hexforge.validator.reading.sheet',\n"
    code += "            'hexforge.validator.rules.position'} & set(sys.modules)\nassert not needless, needless"
    told = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, cwd=tmp_path)
    assert told.returncode == 0 and b"a.vlog" in told.stdout, told.stderr


# -------------------------------------------------------------------------------------------- mails


def mail(body: str, *attachments: tuple[str, bytes]) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ana@example.org", "bruno@example.org", "turno 2 – ação"
    message.set_content(body)
    for name, data in attachments:
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message


def test_a_mail_carries_its_sheet_in_the_text(tmp_path: Path) -> None:
    path = tmp_path / "turno.eml"
    quoted = "".join(f"> {line}\n" for line in EXAMPLE.read_text("utf-8").splitlines())
    path.write_bytes(bytes(mail(f"Oi Bruno, segue o turno.\n\n{quoted}\n-- \nAna\nmove over\n")))
    of_mail = json.loads(run("check", path, "--format", "json").stdout)
    of_sheet = json.loads(run("check", EXAMPLE, "--format", "json").stdout)
    assert [f["code"] for f in of_mail["findings"]] == [f["code"] for f in of_sheet["findings"]]
    assert of_mail["position"] == of_sheet["position"]


def test_attached_sheets_and_logs_are_read(tmp_path: Path) -> None:
    path = tmp_path / "turno.eml"
    logs = [(f"../{p.name}", p.read_bytes()) for p in (ANA, BRUNO)]
    path.write_bytes(bytes(mail("Segue.", ("t.sheet", EXAMPLE.read_bytes()), *logs)))
    found = json.loads(run("check", path, "--format", "json").stdout)
    assert [entry["source"] for entry in found] == ["ana-2.vlog bruno-2.vlog", f"{path}: t.sheet"]
    assert "combat 1007" in run("transcribe", path).stdout


def test_a_mailbox_is_read_in_order(tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "game.mbox")
    for log in (ANA, PLAYED_HURTGEN / "bruno-2-gap.vlog"):
        box.add(mail("From the front: nothing new\n", (log.name, log.read_bytes())))
    box.close()
    found = json.loads(run("check", tmp_path / "game.mbox", "--format", "json").stdout)
    assert "log-chain" in [f["code"] for f in found["findings"]]


@pytest.mark.parametrize("data", [b"", b"\x00\xff" * 400, b"From \n" * 50])
def test_what_is_no_mail_is_said(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.eml"
    path.write_bytes(data)
    result = run("check", path, "--lang", "en")
    assert result.exit_code == 2
    assert "no mail that can be read" in result.stderr


def test_talk_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "x.eml"
    path.write_bytes(b"From: a\nSubject: b\n\nhello\n")
    result = run("check", path, "--lang", "en")
    assert result.exit_code == 0
    assert "no sheet, no log: 1 line of talk" in result.stdout


@pytest.mark.parametrize(
    "header", ["Content-Type: text/plain; charset=klingon", "Content-Transfer-Encoding: base64"]
)
def test_odd_mails_do_no_harm(header: str, tmp_path: Path) -> None:
    path = tmp_path / "x.eml"
    path.write_bytes(f"From: a\n{header}\n\nsheet 1\ngame hurtgen\n".encode())
    assert run("check", path).exit_code in (0, 2)
    deep = "".join(f"Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n" for i in range(2000))
    path.write_bytes(f"From: a\n{deep}".encode())
    assert run("check", path).exit_code == 2


QUESTIONS = (("duties",), ("reach", "us-707-tank"), ("odds", "0905", "--with", "us-109-1", "us-109-2"))


def asked(file: Path, question: tuple[str, ...]) -> dict[str, object]:
    done = run(question[0], file, *question[1:], "--format", "json", "--module", module_of("hurtgen"))
    assert done.exit_code == 0, done.output
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_may_be_asked_of_a_log_or_a_mail(tmp_path: Path, question: tuple[str, ...]) -> None:
    text = (EXAMPLE.parent / "turn2-well.sheet").read_text("utf-8").partition("combat 1007")[0]
    sheet = tmp_path / "plan.sheet"
    sheet.write_text(text, "utf-8")
    log = log_from(text, "hurtgen", tmp_path)
    letter = tmp_path / "plan.eml"
    mail = EmailMessage()
    mail.set_content("Aqui vai.")
    mail.add_attachment(log.read_bytes(), maintype="application", subtype="zip", filename="made.vlog")
    letter.write_bytes(bytes(mail))
    of_sheet = asked(sheet, question)
    assert of_sheet
    assert asked(log, question) == asked(letter, question) == of_sheet


def test_what_lacks_dice_is_named_by_log_and_step(tmp_path: Path) -> None:
    text = (EXAMPLE.parent / "turn2-well.sheet").read_text("utf-8")
    head, combat, rest = text.partition("combat 1007")
    text = head + combat + "\n" + "\n".join(rest.splitlines()[1:3]) + "\n"
    log = log_from(text, "hurtgen", tmp_path)
    said = run("duties", log, "--lang", "en", "--module", module_of("hurtgen")).stdout
    assert "made.vlog:" in said and "still to be declared: dice, result" in said


def test_a_log_of_another_s_module_answers_no_question() -> None:
    done = run("duties", PLAYED / "a.vlog", "--lang", "en")
    assert done.exit_code == 2 and "no rules here" in done.stderr


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.6, 0.8, 0.9, 0.95, 0.98])
def test_what_is_left_of_a_cut_log_is_neither_accused_nor_acquitted(tmp_path: Path, share: float) -> None:
    log = log_from((EXAMPLE.parent / "turn2-well.sheet").read_text("utf-8"), "hurtgen", tmp_path)
    data = log.read_bytes()
    log.write_bytes(data[: int(len(data) * share)])
    done = run("check", "--salvage", log, "--format", "json", "--module", module_of("hurtgen"))
    answer = json.loads(done.stdout)
    assert answer["verdict"] == "doubtful"
    assert [f["code"] for f in answer["findings"] if f["severity"] == "doubtful"] == ["log-chain"]


def test_questions_may_be_asked_of_what_is_left_of_a_log(tmp_path: Path) -> None:
    log = log_from((EXAMPLE.parent / "turn2-well.sheet").read_text("utf-8"), "hurtgen", tmp_path)
    log.write_bytes(log.read_bytes()[:-300])
    module = module_of("hurtgen")
    for question in QUESTIONS:
        words = (question[0], log, *question[1:], "--module", module, "--lang", "en")
        assert "salvage" in run(*words).stderr
        assert run(*words, "--salvage").exit_code == 0
