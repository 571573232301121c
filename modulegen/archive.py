"""Fifth stage: the `.vmod`, byte for byte the same wherever it is built, and put in place in one step.

Entries are stored, not deflated: what a deflater writes differs from one zlib to the next, and nearly all of the
archive is PNG, which is deflated already. Set-ups alone are deflated (`zip_bytes`): VASSAL reads a save letter by
letter, and asks the file for each that is only stored, which took half of the time in which a game is opened.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hexforge.modulegen.vassal.archive import EPOCH
from hexforge.modulegen.vassal.metadata import Metadata, write_metadata
from hexforge.scenarios.files import put as put_file

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan


def pack(entries: Iterable[tuple[str, bytes]]) -> bytes:
    """A ZIP of files in the order given, all with the same date."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name, EPOCH)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return out.getvalue()


def version_of(own: str, contents: Mapping[str, bytes]) -> str:
    """The module's version: the game's own (`own`), and a digest of the contents.

    VASSAL keeps drawn map tiles by module name and version, so that a change of the map must change the version.
    Its comparison of versions takes what follows the sign as a later build of the same version.
    """
    digest = hashlib.sha256()
    for name in sorted(contents):
        digest.update(f"{name} {len(contents[name])}\n".encode() + contents[name])
    return f"{own}+{digest.hexdigest()[:8]}"


def metadata(plan: Plan, version: str, description: str) -> tuple[bytes, bytes]:
    """The entries `moduledata` and `savedata`."""
    from hexforge.modulegen.assemble.module import VASSAL_VERSION
    from hexforge.modulegen.plan.marks import marks

    extra1, extra2 = marks(plan)
    module = Metadata(
        name=plan.scenario.game.module.name,
        version=version,
        vassal_version=VASSAL_VERSION,
        description=description,
        date_saved=0,
        extra1=extra1,
        extra2=extra2,
    )
    saved = Metadata(version=version, vassal_version=VASSAL_VERSION, date_saved=0, extra1="", extra2="")
    return write_metadata(module), write_metadata(saved)


def put(path: Path, data: bytes) -> None:
    """Write the module so that either the old or the new one stands there. Raises OSError."""
    put_file(path, data)
