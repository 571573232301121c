"""`modulegen` for readers of Portuguese: no line of any command is left in English, and JSON keeps its keys."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main
from hexforge.scenarios.commands import HOME
from tests import starters

Run = Callable[..., subprocess.CompletedProcess[str]]
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|was|with|from|this|that|must|may|not|has|have|does|missing|invalid|usage|options:|show|"
    r"error|errors|warning|warnings|expected|assumed|printed|turn|line|default:|required|such|nothing|twice|there|"
    r"which|images?|pieces|counters|unchanged|known|found|cannot|read|at least|more|files?|folder|examples?:)\b",
    re.IGNORECASE,
)
CODES = re.compile(
    r"'[^']*'|\"[^\"]*\"|`[^`]*`|--[\w-]+|\[[\w|]+\]|\S*[/.]\S*|\b\w+(?:-\w+)+|\b\w+\b(?= \()|(?<=\()[a-z]+(?=\))"
)
"""What stands for itself in any language: quoted values, options, choices, files, ids, keys of files."""


def english(text: str) -> list[str]:
    """Lines that hold an English word which is no code."""
    told = [line for line in text.splitlines() if not line.strip().startswith("modulegen ")]
    return [line for line in told if ENGLISH.search(CODES.sub("", line))]


@pytest.fixture
def run() -> Run:
    def run(*words: str | Path, lang: str = "pt_BR.UTF-8") -> subprocess.CompletedProcess[str]:
        env = {"HEXFORGE_LANG": lang}
        done = CliRunner().invoke(main, [str(w) for w in words], env=env, prog_name="modulegen")
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fresh") / "guerra"
    starters.write(folder, "pt")
    return folder


@pytest.fixture
def game(fresh: Path, tmp_path: Path) -> Path:
    return shutil.copytree(fresh, tmp_path / "guerra")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


COMMANDS = (
    "bind",
    "build",
    "check",
    "data",
    "diff",
    "import",
    "inspect",
    "keys",
    "lint",
    "list",
    "map",
    "new",
    "preview",
    "refresh",
    "schema",
    "verify",
    "watch",
)


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help(run: Run, name: str) -> None:
    done = run(*([name] if name else []), "--help")
    assert done.returncode == 0
    assert english(done.stdout) == []
    told = run(*([name] if name else []), "--help", lang="en").stdout
    same = set(filter(None, map(str.strip, done.stdout.splitlines()))) & set(map(str.strip, told.splitlines()))
    assert {line for line in same if not line.startswith(("modulegen ", "Ctrl+C", "--like [", "--only ["))} == set()


def test_help_of_all_commands_is_tried(run: Run) -> None:
    shown = re.findall(r"(?m)^  ([a-z]+)  +\S", run("--help").stdout.partition("Comandos")[2])
    assert tuple(shown[: len(COMMANDS)]) == COMMANDS


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bild"], "Não há o comando 'bild'."),
        (["build"], "diga um jogo"),
        (["build", "metz", "hurtgen", "--out", "a.vmod"], "vários jogos não cabem num arquivo"),
        (["build", "metz", "--scale", "9"], "9.0 está fora de 0.25<=x<=4"),
        (["build", "metz", "--scale", "x"], "'x' não é um número válido"),
        (["build", "metz", "--lang", "fr"], "'fr' não é um de 'en', 'pt'"),
        (["build", "metz", "--jobs"], "A opção '--jobs' pede um valor"),
        (["build", "metz", "--forma"], "Não há a opção '--forma'"),
        (["build", "atlantida"], "não é um jogo (conhecidos: "),
        (["check"], "Falta o argumento 'NOME|PASTA'"),
        (["check", "atlantida"], "não é um jogo (conhecidos: "),
        (["data", "metz", "--kind", "x"], "não há o tipo 'x'; há hex, "),
        (["diff", "metz", __file__], "um é arquivo, o outro é jogo"),
        (["inspect", __file__], "não é um ZIP que se possa ler"),
        (["verify", __file__], "não é um ZIP que se possa ler"),
        (["schema", "--out", __file__], "é um arquivo"),
        (["new", Path(__file__).parent], "já existe e não é uma pasta vazia"),
        (["new", "---/!!"], "não dá um nome para o jogo"),
        (["preview", "atlantida"], "não é um jogo (conhecidos: "),
        (["watch", "atlantida"], "não é um jogo (conhecidos: "),
        (["preview", "metz", "--out", "/dev/null/x"], "/dev/null"),
    ],
    ids=lambda value: " ".join(getattr(w, "name", w) for w in value) if isinstance(value, list) else "",
)
def test_mistakes_in_the_command_line(run: Run, words: list[str | Path], said: str) -> None:
    words = [w if w != "---/!!" else "./!!" for w in words]
    done = run(*words)
    assert done.returncode == 2, done
    assert said in done.stderr
    assert english(done.stderr) == []


def test_a_file_that_is_not_there() -> None:
    # What kind of path an argument takes is named in the language in which the program began.
    command = [sys.executable, "-m", "hexforge.modulegen", "inspect", "nada.vlog"]
    env = {**os.environ, "HEXFORGE_LANG": "pt"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Arquivo 'nada.vlog' não existe" in done.stderr
    assert english(done.stderr) == []


BREAKAGES: dict[str, tuple[str, str, str, str]] = {
    "broken YAML": ("game.yaml", "turns: {", "turns: [{", "game.yaml:"),
    "a cell that is no number": (
        "counters.csv",
        ",3,3,4,,2,2,",
        ",tres,3,4,,2,2,",
        "counters.csv:2: no-1-1, coluna attack: 'tres' não é um número inteiro",
    ),
    "a hex off the map": ("setup.yaml", '"0805"', '"4105"', "4105 está fora do mapa, que termina em 1208"),
    "a hex that is none": ("setup.yaml", '"0805"', '"85"', "'85' não é um hexágono: quatro algarismos"),
    "a road that jumps": ("map.yaml", "0402 0503 0603", "0402 0603", "a via road salta de 0402 para 0603"),
    "a strange letter": ("map.yaml", "  .f....hhh...", "  .f..X.hhh...", "o hexágono 0501 tem a letra 'X'"),
    "a short row": (
        "map.yaml",
        "  .f....hhh...",
        "  .f....hhh..",
        "a linha 1 tem 11 letras; a grade tem 12 colunas",
    ),
    "an unknown key": ("tables.yaml", "crt:", "cart: 1\ncrt:", "cart: não é uma chave conhecida aqui"),
    "a key that is missing": ("game.yaml", "letter: X", "", "letter: falta"),
    "a word too many": (
        "game.yaml",
        "phase: combat",
        "phase: combate",
        "esperava-se 'movement', 'combat' ou uma fase que text.pt.yaml nomeie em 'phases.combate'; há 'combate'",
    ),
    "an unknown palette": ("game.yaml", "counter: french", "counter: martian", "não tem a paleta 'martian'"),
    "an unknown unit type": ("counters.csv", ",engineer,", ",sapper,", "'sapper' não é um tipo de unidade"),
    "an unknown place": ("victory.yaml", "place: moorau", "place: moria", "não há o lugar 'moria' em map.yaml"),
    "a unit twice": ("setup.yaml", "units: no-art}", "units: no-art no-1-1}", "no-1-1 é colocada duas vezes"),
    "a row of the table": ("tables.yaml", '"7":', '"8":', "o resultado 7 dos dados tem 0 linhas; esperava-se uma"),
    "an unknown result": ("tables.yaml", "IMP, DRI AVI", "IMP, XXX", "'XXX' não é um resultado"),
    "a file that is no file": ("victory.yaml", 'section: "10.4"\n', "- 1\n", "victory.yaml:"),
}


@pytest.mark.parametrize("case", BREAKAGES)
def test_broken_files(run: Run, game: Path, tmp_path: Path, case: str) -> None:
    file, old, new, said = BREAKAGES[case]
    edit(game / file, old, new)
    done = run("build", game, "--out", tmp_path / "dist")
    assert done.returncode == 2
    assert said in done.stderr
    # The YAML library's own words stand behind ours, in brackets.
    assert english(re.sub(r"(como YAML .*) \(.*\)", r"\1", done.stderr)) == []
    assert english(run("check", game).stdout) == []


def test_warnings_and_changes(run: Run, tmp_path: Path) -> None:
    for part in ("hurtgen", "somnium"):
        shutil.copytree(HOME / part, tmp_path / part)
    folder = tmp_path / "hurtgen"
    edit(folder / "counters.csv", "us-109-1,", "us-109-9,")
    edit(folder / "victory.yaml", "vossenack", "germeter")
    rows = (folder / "map.yaml").read_text("utf-8")
    start = rows.index("terrain: |") + len("terrain: |\n")
    row = rows[start : rows.index("\n", start)]
    edit(folder / "map.yaml", row, row[:-1] + ("f" if row[-1] != "f" else "."))
    done = run("check", folder)
    assert done.returncode == 1
    assert "peça us-109-1: retirado: " in done.stdout
    assert "peça us-109-9: novo: " in done.stdout
    assert "hexágono " in done.stdout
    assert "posição inicial" in done.stdout
    assert english(done.stdout) == []


def test_a_game_from_beginning_to_end(run: Run, tmp_path: Path) -> None:
    game, module = tmp_path / "meu", tmp_path / "Meu.vmod"
    for words, status, said in (
        (["new", game], 0, "diz como continuar"),
        (["check", game], 0, "meu: 0 erros, 0 avisos"),
        (["data", game], 0, "hex (hexágonos): 72 do livro, 24 de reconstrução"),
        (["list"], 0, " peças, mapa "),
        (["build", game, "--out", module, "--jobs", "1"], 0, " imagens, "),
        (["build", game, "--out", module], 0, "sem mudança"),
        (["verify", module], 0, "nada falta, nada fica sem uso"),
        (["inspect", module], 0, "módulo Meu.vmod"),
        (["diff", game, game], 0, "nenhuma diferença"),
        (["diff", game, "metz"], 1, "posição inicial ("),
        (["preview", game, "--out", tmp_path / "preview"], 0, " arquivos ao lado"),
    ):
        done = run(*words)
        assert done.returncode == status, done
        assert said in done.stdout
        if words[0] not in ("diff", "inspect"):
            assert english(done.stdout + done.stderr) == []
    assert "# Um pequeno jogo" in (game / "game.yaml").read_text("utf-8")
    shutil.copy(module, tmp_path / "b.vmod")
    (tmp_path / "cut.vmod").write_bytes(module.read_bytes()[:5000])
    for words in (["verify", tmp_path / "cut.vmod"], ["inspect", tmp_path / "cut.vmod"]):
        done = run(*words)
        assert "cortado: um ZIP sem o seu índice" in done.stderr
        assert english(done.stderr) == []


def test_json_keeps_its_keys(run: Run, game: Path, tmp_path: Path) -> None:
    edit(game / "map.yaml", "0402 0503 0603", "0402 0603")

    def keys(value: object) -> object:
        if isinstance(value, dict):
            return {key: keys(inner) for key, inner in value.items()}
        return [keys(inner) for inner in value] if isinstance(value, list) else type(value).__name__

    for words in (["check", game, "--json"], ["data", "metz", "--json"], ["list", "--json"]):
        pt, en = (json.loads(run(*words, lang=lang).stdout) for lang in ("pt", "en"))
        assert keys(pt) == keys(en)
    pt, en = (run("diff", "metz", "hurtgen", "--json", lang=lang).stdout for lang in ("pt", "en"))
    assert pt == en


def test_a_watched_game_says_what_is_wrong_and_waits(run: Run, game: Path, tmp_path: Path) -> None:
    edit(game / "game.yaml", "letter: X", "")
    words = [sys.executable, "-m", "hexforge.modulegen", "watch", str(game), "--out", str(tmp_path / "dist")]
    env = {**os.environ, "HEXFORGE_LANG": "pt"}
    with subprocess.Popen(
        words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", env=env
    ) as process:
        assert process.stderr is not None
        told = [process.stderr.readline(), process.stderr.readline()]
        process.kill()
    assert "letter: falta" in told[0]
    assert told[1] == "à espera de uma mudança\n"
