"""Rasterising: shipped fonts only, clear errors, small files."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.modulegen.render import raster, templates
from hexforge.modulegen.render.raster import RenderError, font_files, open_image, pack, rasterise, text_width
from tests.render.pictures import difference, image


def text_svg(words: str, family: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40">'
        '<rect width="300" height="40" fill="#fff"/>'
        f'<text x="4" y="28" font-size="24" font-family="{family}">{words}</text></svg>'
    )


@pytest.mark.parametrize("family", [raster.SANS, raster.SERIF])
@pytest.mark.parametrize("letter", list("AäöüßéèçãõñøåÆœŁžőğİ0"))
def test_every_latin_letter_has_ink(family: str, letter: str) -> None:
    drawn = image(rasterise(text_svg(letter, family)))
    assert difference(drawn, image(rasterise(text_svg("", family)))) > 0.05


@pytest.mark.parametrize("family", ["DejaVu Sans", "Liberation Sans", "Arial"])
def test_fonts_of_the_system_are_never_used(family: str) -> None:
    assert rasterise(text_svg("Hürtgen", family)) == rasterise(text_svg("Hürtgen", "No Such Face"))


@pytest.mark.parametrize("family", [raster.SANS, raster.SERIF])
def test_measured_width_is_the_drawn_width(family: str) -> None:
    weight = 400 if family == raster.SANS else 700
    svg = text_svg("Göbelsmühle", family).replace("<text ", f'<text font-weight="{weight}" ')
    drawn = image(rasterise(svg)).convert("L").point(lambda v: 255 if v < 128 else 0)
    box = drawn.getbbox()
    assert box is not None
    assert box[2] - box[0] == pytest.approx(text_width("Göbelsmühle", 24, family, weight), abs=4)


@pytest.mark.parametrize(("content", "words"), [(b"not a font", "not a TrueType"), (None, "missing")])
def test_a_font_that_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None, words: str
) -> None:
    for path in raster.font_folder().glob("*.ttf"):
        (tmp_path / path.name).write_bytes(path.read_bytes()[:64])
    victim = tmp_path / "Alegreya-Bold.ttf"
    victim.unlink()
    if content is not None:
        victim.write_bytes(content)
    monkeypatch.setattr(raster, "font_folder", lambda: tmp_path)
    font_files.cache_clear()
    try:
        with pytest.raises(RenderError, match=words) as caught:
            font_files()
    finally:
        font_files.cache_clear()
    assert "Alegreya-Bold.ttf" in str(caught.value)


@pytest.mark.parametrize("svg", ["", "<svg", "<html/>"])
def test_what_is_no_svg_is_refused(svg: str) -> None:
    with pytest.raises(RenderError):
        rasterise(svg)


@pytest.mark.parametrize(("size", "words"), [("20000", "more than 100,000,000"), ("0", "cannot be drawn")])
def test_a_size_that_cannot_be_drawn_is_refused(size: str, words: str) -> None:
    with pytest.raises(RenderError, match=words):
        rasterise(f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}"/>')


def test_what_is_no_png_is_refused() -> None:
    with pytest.raises(RenderError):
        open_image(b"GIF89a")


def test_packing_keeps_transparency() -> None:
    disc = '<circle cx="30" cy="30" r="20" fill="red"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">{disc}</svg>'
    packed = open_image(pack(rasterise(svg))).convert("RGBA")
    assert packed.getpixel((0, 0))[3] == 0  # type: ignore[index]
    assert packed.getpixel((30, 30)) == (255, 0, 0, 255)


def test_palettes_are_found_by_name_and_nothing_else() -> None:
    assert templates.palette("board")["paper"].startswith("#")
    for name in ("../fonts/OFL-Alegreya", "nowhere", ""):
        with pytest.raises(RenderError if not name.isalnum() else Exception):
            templates.palette(name)


@pytest.mark.parametrize(("value", "text"), [(1.0, "1"), (-0.001, "0"), (2.345, "2.35"), (10.50, "10.5")])
def test_coordinates_are_short(value: float, text: str) -> None:
    assert templates.number(value) == text
