"""The page of one game in a browser: what players do with it, and what nobody may do to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from hexforge.scenarios.text.words import Words
from hexforge.validator.app.batch import Watcher
from hexforge.validator.app.reply import reply_to
from hexforge.validator.judging.check import check_logs, judge
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.report.html import HtmlReport
from hexforge.validator.report.pages import Rest
from hexforge.validator.report.replay_logs import log_replay
from hexforge.validator.report.replay_page import page as page_of
from hexforge.validator.report.replay_pictures import module_pictures
from tests.examples import leading

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "scenarios" / "hurtgen" / "examples" / "turn2-mistakes.sheet"
WATCHED = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\n"
EVIL = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"


def written(text: str, source: str, language: str = "en") -> str:
    report = HtmlReport(Words(language), playable=True)
    return "".join(report.whole([report.part(judge(read_sheet(text, source)))], Rest(many=False)))


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(written(EXAMPLE.read_text("utf-8"), "game.sheet"), "utf-8")
    return path.as_uri()


def opened(context: Any, address: str) -> Any:
    page = context.new_page()
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda line: page.problems.append(line.text) if line.type == "error" else None)
    page.on("request", lambda asked: page.problems.append(asked.url) if asked.url.startswith("http") else None)
    page.goto(address)
    page.wait_for_selector("#app:not([hidden])")
    return page


@pytest.fixture(scope="module")
def desk(browser: Any, example: str) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1366, "height": 820}, reduced_motion="reduce", locale="en-US")
    yield opened(context, example)
    context.close()


def test_a_link_into_a_long_game_shows_its_step_in_the_list(browser: Any, tmp_path: Path) -> None:
    """What lies far above in the list is drawn late, and then is higher than was thought."""
    turns = "".join(f"turn {t} american movement\n" + "score american 1\n" * 60 for t in range(2, 6))
    (tmp_path / "long.html").write_text(
        written(WATCHED.replace("turn 2 american movement\n", turns), "long"), "utf-8"
    )
    context = browser.new_context(viewport={"width": 1366, "height": 820})
    page = opened(context, (tmp_path / "long.html").as_uri() + "#t5-40")
    page.wait_for_function(
        "() => { const row = document.querySelector('#panel [aria-current]').getBoundingClientRect();"
        " const panel = document.querySelector('#panel').getBoundingClientRect();"
        " return row.top >= panel.top && row.bottom <= panel.bottom; }",
        timeout=3000,
    )
    context.close()


def at(page: Any, step: str) -> Any:
    page.evaluate("step => { location.hash = step; }", step)
    page.wait_for_function("step => location.hash === '#' + step", arg=step)
    return page


def place(page: Any, unit: str) -> str | None:
    """The hex that a unit lies on as the page draws it, by looking it up."""
    page.fill("#find", "")
    page.fill("#find", unit)
    page.press("#find", "Enter")
    found = re.match(r"(\d{4}):", page.inner_text("#detail h3"))
    return found[1] if found else None


def test_a_game_is_stepped_through_and_back(desk: Any) -> None:
    at(desk, "t0-0")
    assert "Step 0 of 17" in desk.inner_text("#where") and place(desk, "us-112-1") == "0806"
    for _ in range(2):
        desk.click('[data-deed="forward"]')
    assert desk.evaluate("location.hash") == "#t2-1"
    assert "move us-112-1: 0806 0907" in desk.inner_text("#detail") and place(desk, "us-112-1") == "0907"
    desk.click('[data-deed="back"]')
    assert place(desk, "us-112-1") == "0806", "a step back puts everything back"
    desk.click('[data-deed="last"]')
    desk.click('[data-deed="first"]')
    assert place(desk, "us-112-1") == "0806" and not desk.problems


def test_keys_step_by_step_phase_and_finding(desk: Any) -> None:
    at(desk, "t0-0")
    desk.focus("#pad")
    for key, where in (
        ("ArrowRight", "#t2-0"), ("PageDown", "#t2-8"), ("PageUp", "#t2-0"), ("End", "#t2-16"),
        ("Shift+ArrowLeft", "#t2-15"), ("Home", "#t0-0"), ("Shift+ArrowRight", "#t2-2"), ("ArrowLeft", "#t2-1"),
    ):  # fmt: skip
        desk.keyboard.press(key)
        assert desk.evaluate("location.hash") == where, key


def test_a_move_shows_what_each_hex_costs(desk: Any) -> None:
    at(desk, "t2-5")
    cells = [row.inner_text().split() for row in desk.query_selector_all("#detail tbody tr")][:3]
    assert cells == [["0703", "2", "2", "Trail"], ["0704", "2", "4", "Trail"], ["0705", "2", "6", "Trail"]]
    assert [text.text_content() for text in desk.query_selector_all("#over g text")] == ["2", "2", "2"]


def test_a_combat_is_laid_out_and_its_wrong_parts_are_marked(desk: Any) -> None:
    at(desk, "t2-10")
    detail = desk.inner_text("#detail")
    assert "by American (Ana)" in detail
    wrong = {row.query_selector("th").inner_text() for row in desk.query_selector_all("#detail tr.wrong:has(th)")}
    assert wrong == {"Attack", "Result"}
    (points,) = [row.inner_text() for row in desk.query_selector_all("#detail tr.wrong:not(:has(th))")]
    assert "off-board" in points
    lit = desk.inner_text("table.crt td.hit"), desk.inner_text("table.crt thead .lit")
    assert lit == ("DRB AVI", "7-1")


def test_findings_lead_to_their_steps(desk: Any) -> None:
    desk.click("#tab-findings")
    rows = desk.query_selector_all("#panel [data-step]")
    assert len(rows) == 20 and "Turn 2 · 2 Nov 1944 · American: Movement" in desk.inner_text("#panel")
    rows[0].click()
    assert desk.evaluate("location.hash") == "#t2-2" and "4 units end in 0907" in desk.inner_text("#detail .card")
    desk.click("#tab-steps")


def test_zones_are_drawn_on_demand(desk: Any) -> None:
    at(desk, "t2-1")
    before = len(desk.query_selector_all("#under polygon"))
    desk.click('#tools [aria-label="Zone: German"]')
    zone = len(desk.query_selector_all("#under polygon"))
    desk.click('#tools [aria-label="Zone: German"]')
    assert before == 0 and zone > 20


def test_the_page_speaks_both_languages(desk: Any) -> None:
    at(desk, "t2-2")
    desk.select_option("#language", "pt")
    told = desk.inner_text("#app")
    assert "4 unidades terminam em 0907" in told and "Apontamentos 20" in told and "ilegal" in told
    assert desk.evaluate("document.documentElement.lang") == "pt-BR"
    desk.click("#tab-report")
    report = desk.inner_text("#report")
    assert "O que se moveu" in report or "Movimentos" in report
    assert desk.query_selector("#report .scene svg"), "pictures come along"
    desk.select_option("#language", "en")
    assert "4 units end in 0907" in desk.inner_text("#report") and desk.query_selector("#report .scene svg")
    desk.click("#tab-steps")
    assert not desk.problems


@pytest.mark.parametrize(
    ("tab", "scheme"),
    leading(2, [("steps", "light"), ("report", "dark"), ("steps", "dark"), ("report", "light")]),
)
def test_screen_readers_find_their_way(browser: Any, example: str, scheme: str, tab: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    context = browser.new_context(color_scheme=scheme, bypass_csp=True, locale="en-US")
    page = opened(context, f"{example}#t2-10")
    page.click(f"#tab-{tab}")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    context.close()


TOP = "document.querySelector('{}').getBoundingClientRect().top"


def test_on_a_phone_nothing_is_cut_off_and_a_finger_steps(browser: Any, example: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = opened(context, example)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for button in page.query_selector_all("#controls button:visible, #tools button"):
        box = button.bounding_box()
        assert box["width"] >= 40 and box["height"] >= 40 and box["x"] >= 0 and box["x"] + box["width"] <= 360
    page.tap('[data-deed="forward"]')
    assert page.evaluate("location.hash") == "#t2-0" and not page.problems
    # The list goes along where it can be seen; what lies in a hex is told below the map, which stays.
    for _ in range(6):
        page.tap('[data-deed="forward"]')
    page.wait_for_timeout(300)
    assert page.evaluate(f"{TOP.format('#panel [aria-current]')} < {TOP.format('.transport')}")
    page.fill("#find", "us-707-tank")
    page.press("#find", "Enter")
    page.wait_for_timeout(300)
    assert page.evaluate(f"{TOP.format('#detail')} < {TOP.format('.transport')} - 100")
    assert page.evaluate(f"{TOP.format('#view')} > -1")
    context.close()


def test_fingers_pinch_drag_and_swipe(browser: Any, example: str) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page = opened(context, f"{example}#t2-1")
    page.tap('[data-deed="fit"]')
    link = context.new_cdp_session(page)
    box = page.query_selector("#pad").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(*moves: list[tuple[float, float]]) -> None:
        for number, fingers in enumerate([*moves, []]):
            kind = "touchEnd" if not fingers else "touchMove" if number else "touchStart"
            points = [{"x": a, "y": b, "id": i} for i, (a, b) in enumerate(fingers)]
            link.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def seen() -> list[float]:
        return page.evaluate("(m => [m.a, m.e, m.f])(new DOMMatrix(getComputedStyle(plane).transform))")

    whole = seen()[0]
    touch([(x + 60, y)], [(x, y)], [(x - 60, y)])
    assert page.evaluate("location.hash") == "#t2-2", "a swipe over the whole map goes on"
    page.tap('[data-deed="fit"]')
    touch([(x - 20, y), (x + 20, y)], [(x - 50, y), (x + 50, y)], [(x - 80, y), (x + 80, y)])
    near = seen()
    assert near[0] == pytest.approx(4 * whole, rel=0.02), (
        "fingers four times as far apart make it four times as large"
    )
    touch([(x, y)], [(x - 20, y - 15)], [(x - 40, y - 30)])
    moved = seen()
    assert moved[1:] == pytest.approx([near[1] - 40, near[2] - 30], abs=1) and moved[0] == near[0]
    assert page.evaluate("location.hash") == "#t2-2" and not page.problems, "who drags a map does not step"
    context.close()


def test_score_and_losses_stand_below_the_board(browser: Any, tmp_path: Path) -> None:
    sheet = (
        "sheet 1\ngame hurtgen\nmap blank open 6x6\nunit a1 american infantry 4-4-5\n"
        "unit g1 german infantry 1-1-5\nposition\n  a1 0202\n  g1 0203\nturn 1 american combat\n"
        "combat 0203\n  attack a1\n  roll 6 6\n  eliminate g1\n"
    )
    (tmp_path / "lost.html").write_text(written(sheet, "lost.sheet"), "utf-8")
    context = browser.new_context(locale="en-US")
    context = browser.new_context(viewport={"width": 1366, "height": 820})
    page = opened(context, (tmp_path / "lost.html").as_uri())
    page.click('[data-deed="last"]')
    told = " ".join(page.inner_text("#strip").split())
    assert re.fullmatch(r"American: \d+ points German: \d+ points, 1 unit lost", told), told
    page.select_option("#language", "pt")
    assert "1 unidade perdida" in page.inner_text("#strip") and not page.problems
    context.close()


def test_the_wheel_makes_larger_what_lies_below_it(desk: Any) -> None:
    at(desk, "t2-1")
    desk.click('[data-deed="fit"]')
    box = desk.query_selector("#pad").bounding_box()
    where = {"x": 500 - box["x"], "y": 400 - box["y"]}
    below = """p => {
      const m = new DOMMatrix(getComputedStyle(plane).transform);
      return [(p.x - m.e) / m.a, (p.y - m.f) / m.a];
    }"""
    before = desk.evaluate(below, where)
    desk.mouse.move(500, 400)
    desk.mouse.wheel(0, -400)
    desk.wait_for_function("new DOMMatrix(getComputedStyle(plane).transform).a > 0.5")
    assert desk.evaluate(below, where) == pytest.approx(before, abs=2)
    desk.mouse.wheel(0, 4000)
    desk.click('[data-deed="follow"]')


def test_names_on_the_map_follow_the_language(desk: Any) -> None:
    shown = "[...document.querySelectorAll('#ground use')].map(one => one.getAttribute('href'))"
    desk.select_option("#language", "pt")
    assert desk.evaluate(shown) == ["#map1-bare", "#map1-pt"]
    desk.select_option("#language", "en")
    assert desk.evaluate(shown) == ["#map1-bare", "#map1-en"]
    places = [desk.query_selector(f"#map1-{code}").get_attribute("href") for code in ("en", "pt")]
    assert len(set(places)) == 2 and all(place.startswith("data:image/webp") for place in places)


def test_findings_are_chosen_by_how_bad_they_are(desk: Any) -> None:
    at(desk, "t2-2")
    desk.click("#tab-findings")
    desk.click('[data-kind="illegal"]')
    left = desk.query_selector_all("#panel [data-step]")
    assert len(left) == 7 and not desk.query_selector("#panel [data-step] .dot.illegal")
    desk.click('[data-kind="illegal"]')
    assert len(desk.query_selector_all("#panel [data-step]")) == 20
    desk.click("#tab-steps")


def test_a_link_to_a_step_that_is_not_there_leads_to_its_turn(browser: Any, example: str) -> None:
    context = browser.new_context()
    page = opened(context, f"{example}#t2-99")
    assert "Step 17 of 17" in page.inner_text("#where")
    context.close()


def test_accounts_are_gone_through_on_their_tracks(browser: Any, tmp_path: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    sheet = ROOT / "scenarios" / "normandy" / "examples" / "june25-mistakes.sheet"
    (tmp_path / "a.html").write_text(written(sheet.read_text("utf-8"), "a.sheet"), "utf-8")
    context = browser.new_context(bypass_csp=True, locale="en-US")
    page = opened(context, f"{(tmp_path / 'a.html').as_uri()}#t2-1")
    assert "place kg-1 B1415" in page.inner_text("#detail .line") and page.is_visible("#detail .card.illegal")
    row = page.inner_text("#detail tr.new")
    assert "Kampfgruppe headquarters" in row and "1 on the map" in row and "2 left of 3" in row
    assert len(page.query_selector_all("#counters .counter.drawn:visible")) > 10
    page.fill("#find", "kg-1")
    page.press("#find", "Enter")
    assert page.inner_text("#detail h3") == "B1415: 1 unit"
    page.select_option("#language", "pt")
    assert "25 jun 1944, Tarde" in page.inner_text("#where") and "Contas" in page.inner_text("#detail")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert not page.problems
    context.close()


def test_a_log_is_looked_at_on_each_of_its_maps(browser: Any, tmp_path: Path) -> None:
    logs = [ROOT / "tests" / "data" / "played-hurtgen" / f"{name}-2.vlog" for name in ("ana", "bruno")]
    chain = read_chain(logs)
    replay = log_replay(check_logs(logs), chain)
    text = page_of(replay, module_pictures(chain, replay), Words("en"))
    (tmp_path / "log.html").write_text(text, "utf-8")
    context = browser.new_context(locale="en-US", reduced_motion="reduce")
    context = browser.new_context(viewport={"width": 1366, "height": 820})
    page = opened(context, (tmp_path / "log.html").as_uri())
    names = [one.inner_text() for one in page.query_selector_all("#maps option")]
    assert names == ["Mapa", "Reforços", "Baixas"]

    def lie() -> int:
        return len(page.query_selector_all("#counters .counter:visible"))

    first = lie()
    page.select_option("#maps", "1")
    assert 0 < lie() != first and page.get_attribute("#ground", "viewBox").startswith("0 0 1098")
    page.select_option("#maps", "0")
    assert lie() == first and not page.problems
    context.close()


def test_on_paper_and_without_scripts_it_is_the_report(browser: Any, example: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(example)
    assert "4 units end in 0907" in page.inner_text("#report") and page.is_hidden("#app")
    context.close()
    context = browser.new_context()
    page = opened(context, example)
    page.emulate_media(media="print")
    assert page.is_visible("#report") and page.is_hidden("#app")
    assert page.is_hidden(".report details") and page.is_visible(".finding.illegal .quote")
    assert page.is_hidden(".finding.info .quote"), "what is only for information takes a line or two"
    assert page.is_visible(".moves .outer") and page.is_hidden(".moves .whole")
    printed = page.pdf()
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 6
    # Also while it is looked at, when it lies in what is not printed.
    page.emulate_media(media="screen")
    page.click("#tab-report")
    assert len(page.pdf()) == pytest.approx(len(printed), rel=0.02)
    assert page.locator("#panel #report").is_visible()
    context.close()


def test_nothing_of_a_sheet_runs(browser: Any, tmp_path: Path) -> None:
    sheet = (
        f'sheet 1\ngame hurtgen\nplayers american="{EVIL}" german=Bruno\nmap blank open 6x6\nname 0303 {EVIL}\n'
        f"unit a{EVIL} american infantry 4-4-5\nunit a1 american infantry 4-4-5\nposition\n  a1 0202\n"
        f"turn 1 american movement\nmove a1: 0202 0203 # {EVIL}\nmove {EVIL}: 0202 0203\n"
    )
    (tmp_path / "evil.html").write_text(written(sheet, f"{EVIL}.sheet"), "utf-8")
    context = browser.new_context()
    page = context.new_page()
    said: list[str] = []
    page.on("dialog", lambda box: (said.append(box.message), box.dismiss()))
    page.goto((tmp_path / "evil.html").as_uri())
    page.wait_for_selector("#app:not([hidden])")
    for tab in ("findings", "report", "steps"):
        page.click(f"#tab-{tab}")
    page.select_option("#language", "pt")
    page.click("#tab-report")
    page.press("#pad", "End")
    assert not said and page.query_selector("img") is None
    assert EVIL in page.inner_text("#where") or EVIL in page.inner_text("#app")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<b onclick=\"alert(3)\" id=b>b</b>'); b.click()")
    assert not said, "even markup that got in could not run"
    context.close()


@pytest.mark.parametrize("width", [1400, 390])
def test_a_name_without_end_pushes_nothing_out_of_sight(browser: Any, tmp_path: Path, width: int) -> None:
    names = f'players american="{"x" * 5000}" german="Bruno"'
    sheet = re.sub("(?m)^players .*", names, EXAMPLE.read_text("utf-8"))
    (tmp_path / "long.html").write_text(written(sheet, "long.sheet"), "utf-8")
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = opened(context, (tmp_path / "long.html").as_uri())
    for step in range(int(page.get_attribute("#slider", "max")) + 1):
        wide = page.evaluate("['.left', '#where', '#detail'].map((one) => document.querySelector(one).scrollWidth)")
        shown = page.evaluate("document.querySelector('#detail').clientWidth")
        assert max(wide) <= width and wide[2] <= shown, (step, wide, shown)
        page.press("#pad", "ArrowRight")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    context.close()


def test_a_watched_page_shows_the_sheet_as_it_is_edited(browser: Any, tmp_path: Path) -> None:
    sheet = tmp_path / "a.sheet"
    sheet.write_text(WATCHED, "utf-8")
    watcher = Watcher(tmp_path, None, Words("en"))
    assert len(list(watcher.look())) == 1
    context = browser.new_context(locale="en-US")
    context = browser.new_context(viewport={"width": 1366, "height": 820})
    page = opened(context, (tmp_path / "a.html").as_uri())
    page.click("#tab-steps")
    sheet.write_text(sheet.read_text("utf-8") + "move us-112-1: 0806 0907\n", "utf-8")
    assert len(list(watcher.look())) == 1
    page.wait_for_selector("text=move us-112-1: 0806 0907", timeout=15_000)
    assert "Step 2 of 2" in page.inner_text("#where"), "who looks at the last step goes on looking at it"
    page.fill("#find", "us-707-tank")
    page.press("#find", "Enter")
    assert len(page.query_selector_all("#under polygon")) > 10 and not page.problems
    context.close()


def test_the_page_in_the_answer_to_a_mail_is_played_through(browser: Any, tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["From"], mail["Subject"], mail["Message-ID"] = f'"{EVIL}" <ana@example.org>', EVIL, "<1@example.org>"
    mail.set_content(f"Oi, segue meu turno.\n\n{WATCHED}move us-112-1: 0806 1505 # {EVIL}\n\nAbraço\n")
    (tmp_path / "turn.eml").write_bytes(bytes(mail))
    (attached,) = reply_to(tmp_path / "turn.eml").mail.iter_attachments()
    path = tmp_path / str(attached.get_filename())
    path.write_bytes(attached.get_payload(decode=True))  # type: ignore[arg-type]
    context = browser.new_context(locale="pt-BR", reduced_motion="reduce")
    page = opened(context, path.as_uri())
    assert page.evaluate("document.documentElement.lang") == "pt-BR"
    page.click('[data-deed="finding-forward"]')
    assert "mover us-112-1: 0806 1505" in page.inner_text("#detail .line") and page.is_visible(".card.illegal")
    assert page.query_selector("img") is None and not page.problems
    context.close()


def test_a_log_of_any_module_is_played_through(browser: Any, tmp_path: Path) -> None:
    played = ROOT / "tests" / "data" / "played"
    report = HtmlReport(Words("en"), playable=True)
    part = report.part(check_logs([played / "a.vlog", played / "b.vlog"]))
    (tmp_path / "log.html").write_text("".join(report.whole([part], Rest(many=False))), "utf-8")
    context = browser.new_context(locale="en-US", reduced_motion="reduce")
    context = browser.new_context(viewport={"width": 1366, "height": 820})
    page = opened(context, (tmp_path / "log.html").as_uri())
    assert len(page.query_selector_all("#counters .counter.drawn:visible")) == 3
    page.fill("#find", "red1")
    page.press("#find", "Enter")
    assert page.inner_text("#detail h3") == "0303: 2 units"
    page.click('[data-deed="forward"]')
    assert page.inner_text("#detail h3") == "0303: 1 unit" and len(page.query_selector_all("#over polyline")) == 2
    page.click("#tab-chat")
    assert "Attack on 0505" in page.inner_text("#panel") and not page.problems
    context.close()
