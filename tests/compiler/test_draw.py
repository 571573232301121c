"""Drawing: in bands and in several processes, with a cache that may lose or spoil what it holds."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from hexforge.modulegen import draw
from hexforge.modulegen.draw import BAND, Cache, DrawingPool, bands
from hexforge.modulegen.plan.markers import Picture
from hexforge.modulegen.render.raster import rasterise
from hexforge.scenarios import ScenarioError
from hexforge.scenarios.text.files import cache_folder


def picture(name: str, width: int = 40, height: int = 30, colour: str = "#804020", **more: int) -> Picture:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><rect width="{width}" height="{height}" fill="#eee"/>'
        f'<circle cx="{width / 2}" cy="{height / 2}" r="{height / 3}" fill="{colour}"/></svg>'
    )
    return Picture(name, svg, width * height, **more)


def drawn(pictures: list[Picture], cache: Cache | None = None, jobs: int = 1) -> dict[str, bytes]:
    with DrawingPool(cache or Cache(None), jobs) as drawing:
        drawing.submit(pictures)
        return drawing.collect()


def test_any_number_of_processes_draws_the_same() -> None:
    pictures = [picture(f"{i}.png", 400, 300, f"#{i * 5:02x}4020") for i in range(12)]
    pictures.append(picture("large.png", 4000, 2500))
    alone = drawn(pictures)
    assert drawn(pictures, jobs=3) == alone
    assert list(alone) != []
    assert set(alone) == {p.name for p in pictures}


def test_bands_join_without_a_seam() -> None:
    large = picture("large.png", 4000, 2500, colours=0)
    assert large.weight > BAND
    assert len(bands(large.svg)) == 2
    joined = Image.open(io.BytesIO(drawn([large])["large.png"])).convert("RGB")
    whole = Image.open(io.BytesIO(rasterise(large.svg))).convert("RGB")
    assert joined.size == whole.size
    # Along curves a pixel may differ a little from one cut to another; a seam would differ much.
    worst = ImageChops.difference(joined, whole).convert("L").getextrema()[1]
    assert isinstance(worst, int)
    assert worst < 48


def test_the_cache_saves_the_drawing_and_trusts_nothing(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    one = picture("one.png")
    first = drawn([one], cache)
    assert cache.get(one.key) == first["one.png"]
    (file,) = [p for p in tmp_path.rglob("*") if p.is_file()]
    file.write_bytes(first["one.png"][:-5])
    assert cache.get(one.key) is None
    assert drawn([one], cache) == first
    assert cache.get(one.key) == first["one.png"]


def test_what_is_drawn_twice_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    drawn([picture("a.png"), picture("b.png", colour="#123456")], cache)

    def never(_: object) -> list[bytes]:
        raise AssertionError("drawn again")

    monkeypatch.setattr(draw, "_batch", never)
    assert set(drawn([picture("a.png"), picture("other-name.png", colour="#123456")], cache)) == {
        "a.png",
        "other-name.png",
    }
    with pytest.raises(AssertionError, match="drawn again"):
        drawn([picture("a.png", colour="#654321")], cache)


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file")
    assert drawn([picture("a.png")], cache)["a.png"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_worker_keeps_its_problems(jobs: int) -> None:
    bad = Picture("bad.png", "<svg", 300_000)
    with pytest.raises(ScenarioError) as caught:
        drawn([bad, picture("good.png", 400, 400)], jobs=jobs)
    assert len(caught.value.problems) == 1
    assert "SVG" in str(caught.value)


def test_the_cache_lies_where_the_user_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "hexforge"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert cache_folder() == Path.home() / ".cache" / "hexforge"
