"""What lint finds, and the rules by which it does.

Each rule has a level, and a page, thread or class of VASSAL's that says why; its words stand below `lint.rules` in
the catalogue, as `title`, `says` and `mend`.

What a maker does not want to hear: `.hexforge-lint.yaml` beside the module, or flags of the command.

rules:
  unused-file: off          # a rule silent, or at another level
  missing-report: warning
ignore:
  - {rule: missing-image, match: "old-*"}     # what a finding says, or its place, by a pattern of file names
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...scenarios import yamlfile
from ...scenarios.text.words import HexforgeError, Message, Param, message

Level: TypeAlias = Literal["error", "warning", "note"]
LEVELS: Final[tuple[Level, ...]] = ("error", "warning", "note")
"""From worst to least: what does not work, what most likely was not meant, what could be better."""

MANUAL: Final = "https://vassalengine.org/doc/latest/ReferenceManual/"
_SOURCE: Final = "https://github.com/vassalengine/vassal/blob/master/vassal-app/src/main/java/VASSAL/"


@dataclass(frozen=True)
class Rule:
    """A rule: its key, its level unless a file says otherwise, and the page or class that it stands on."""

    key: str
    level: Level
    basis: str


def _rules() -> dict[str, Rule]:
    table: tuple[tuple[str, Level, str], ...] = (
        ("beside-board", "note", f"{_SOURCE}build/module/map/SetupStack.java"),
        ("broken-piece", "error", f"{_SOURCE}build/module/BasicCommandEncoder.java"),
        ("build-file", "error", f"{_SOURCE}build/GameModule.java"),
        ("case-of-name", "error", f"{_SOURCE}tools/DataArchive.java"),
        ("custom-class", "note", f"{MANUAL}Extension.html"),
        ("deprecated-class", "warning", f"{_SOURCE}build/module/DieManager.java"),
        ("expression-error", "error", f"{MANUAL}Expression.html"),
        ("extension", "error", f"{_SOURCE}build/module/ModuleExtension.java"),
        ("gpid", "error", f"{_SOURCE}build/GpIdChecker.java"),
        ("hidden-command", "note", f"{MANUAL}NamedKeyCommand.html"),
        ("idle-button", "warning", f"{MANUAL}Toolbar.html"),
        ("idle-part", "warning", f"{_SOURCE}build/module/DiceButton.java"),
        ("idle-trigger", "warning", f"{MANUAL}TriggerAction.html"),
        ("key-clash", "warning", f"{MANUAL}GamePiece.html#TraitOrderKeyCommands"),
        ("key-loop", "error", f"{_SOURCE}tools/RecursionLimiter.java"),
        ("large-image", "warning", f"{MANUAL}Board.html"),
        ("map-part", "warning", f"{_SOURCE}build/module/Map.java"),
        ("map-shape", "warning", f"{_SOURCE}build/module/map/boardPicker/board/mapgrid/PolygonEditor.java"),
        ("menu-entry", "warning", f"{MANUAL}SubMenu.html"),
        ("missing-deck", "error", f"{MANUAL}ReturnToDeck.html"),
        ("missing-file", "error", f"{_SOURCE}tools/DataArchive.java"),
        ("missing-image", "error", f"{_SOURCE}tools/DataArchive.java"),
        ("missing-piece", "error", f"{MANUAL}Replace.html"),
        ("missing-place", "error", f"{MANUAL}SendToLocation.html"),
        ("missing-prototype", "error", f"{MANUAL}Prototypes.html"),
        ("missing-report", "note", f"{MANUAL}ReportChanges.html"),
        ("module-data", "warning", f"{_SOURCE}build/module/metadata/ModuleMetaData.java"),
        ("moved-reset", "warning", f"{MANUAL}MarkMoved.html"),
        ("property-circle", "error", f"{_SOURCE}counters/CalculatedProperty.java"),
        ("prototype-circle", "error", f"{_SOURCE}tools/RecursionLimiter.java"),
        ("same-name", "warning", f"{MANUAL}Prototypes.html"),
        ("setup", "warning", f"{_SOURCE}build/module/PredefinedSetup.java"),
        ("slow-expression", "warning", "https://github.com/vassalengine/vassal/issues/3811"),
        ("trait-order", "warning", f"{MANUAL}GamePiece.html#TraitOrder"),
        ("turn-level", "warning", f"{_SOURCE}build/module/turn/CounterTurnLevel.java"),
        ("unheard-key", "warning", f"{MANUAL}NamedKeyCommand.html"),
        ("unknown-class", "error", f"{_SOURCE}build/Builder.java"),
        ("unknown-property", "warning", f"{MANUAL}Properties.html"),
        ("unknown-side", "warning", f"{MANUAL}RestrictedAccess.html"),
        ("unknown-trait", "warning", f"{_SOURCE}build/module/BasicCommandEncoder.java"),
        ("unused-file", "note", f"{MANUAL}RemoveUnusedImages.html"),
        ("unused-prototype", "note", f"{MANUAL}Prototypes.html"),
        ("value-range", "warning", f"{_SOURCE}build/module/properties/IncrementProperty.java"),
    )
    return {key: Rule(key, level, basis) for key, level, basis in table}


RULES: Final[Mapping[str, Rule]] = _rules()


@dataclass(frozen=True)
class PlaceInModule:
    """Where in a module: the file in its archive, the line there (0: none), the elements down to it."""

    file: str
    line: int = 0
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        line = f":{self.line}" if self.line else ""
        return f"{self.file}{line}" + (f"  {' / '.join(self.path)}" if self.path else "")


@dataclass(frozen=True)
class LintFinding:
    """One thing that a rule found at one place. `says` is the key of its text below the rule."""

    rule: str
    place: PlaceInModule
    values: tuple[tuple[str, Param], ...] = ()
    says: str = "says"

    @property
    def message(self) -> Message:
        return message(f"lint.rules.{self.rule}.{self.says}", **dict(self.values))

    @property
    def mend(self) -> Message:
        return message(f"lint.rules.{self.rule}.mend")


@dataclass(frozen=True)
class FindingGroup:
    """All findings that say the same, with all their places."""

    finding: LintFinding
    level: Level
    places: tuple[PlaceInModule, ...]


def grouped(findings: Iterable[LintFinding], levels: Mapping[str, Level]) -> list[FindingGroup]:
    """Findings that say the same as one, the worst first, then by rule and by the place of the first."""
    found: dict[tuple[object, ...], tuple[LintFinding, dict[PlaceInModule, None]]] = {}
    for finding in findings:
        key = (finding.rule, finding.says, finding.values)
        found.setdefault(key, (finding, {}))[1].setdefault(finding.place)
    groups = [FindingGroup(first, levels[first.rule], tuple(places)) for first, places in found.values()]
    return sorted(groups, key=lambda g: (LEVELS.index(g.level), g.finding.rule))


NAME: Final = ".hexforge-lint.yaml"
MOST_PATTERNS: Final = 500


class ConfigError(HexforgeError):
    """A file of settings that cannot be used."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ignored(_Model):
    """Findings not to be told: of one rule or any, whose names or place match a pattern."""

    rule: str = "*"
    match: str = "*"


class Config(_Model):
    """Levels of rules and what is to be ignored."""

    rules: dict[str, Level | Literal["off"]] = Field(default_factory=dict)
    ignore: tuple[Ignored, ...] = Field(default=(), max_length=MOST_PATTERNS)

    def level(self, rule: Rule) -> Level | None:
        """The level that is wanted for a rule, None for its own."""
        wanted = self.rules.get(rule.key)
        return None if wanted == "off" else wanted

    def silences(self, finding: LintFinding) -> bool:
        """Whether a finding is not to be told."""
        if self.rules.get(finding.rule) == "off":
            return True
        texts = [str(value) for _, value in finding.values] + [finding.place.file, " / ".join(finding.place.path)]
        return any(
            fnmatchcase(finding.rule, one.rule) and any(fnmatchcase(text, one.match) for text in texts)
            for one in self.ignore
        )


def read_config(path: Path) -> Config:
    """Read a file of settings; raises `ConfigError`, with what is wrong in it."""
    try:
        config = Config.model_validate(yamlfile.parse(yamlfile.decode(yamlfile.read_bytes(path), path), path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ConfigError(message("lint.config.wrong", path=str(path), where=where)) from None
    for rule in config.rules:
        if rule not in RULES:
            raise ConfigError(message("lint.config.no-rule", path=str(path), rule=rule, known=tuple(RULES)))
    return config


def find_config(module: Path) -> Path | None:
    """The file of settings that lies beside a module, or in the folder one is in."""
    return next((p for p in (module.parent / NAME, Path(NAME)) if p.is_file()), None)
