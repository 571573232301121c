"""What a maker does not want to hear: `.hexforge-lint.yaml` beside the module, or flags of the command.

rules:
  unused-file: off          # a rule silent, or at another level
  missing-report: warning
ignore:
  - {rule: missing-image, match: "old-*"}     # what a finding says, or its place, by a pattern of file names
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hexforge.modulegen.lint.finding import RULES, Level, LintFinding, Rule
from hexforge.scenarios import yamlfile
from hexforge.scenarios.words import HexforgeError, message

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
