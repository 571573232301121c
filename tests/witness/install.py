"""Where the engine, its Java libraries and a display come from on this machine."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEBIAN_JARS = Path("/usr/share/java")
LIBRARIES = (
    "TimingFramework",
    "asm",
    "batik-all",
    "commons-codec",
    "commons-compiler",
    "commons-io",
    "commons-lang3",
    "commons-logging",
    "gnu-getopt",
    "httpclient5",
    "httpcore5",
    "httpcore5-h2",
    "janino",
    "jl",
    "jsoup",
    "logback-classic",
    "logback-core",
    "maven3-artifact",
    "miglayout-core",
    "miglayout-swing",
    "plexus-utils2",
    "slf4j-api",
    "swingx-core",
    "xml-apis",
    "xml-apis-ext",
    "xmlgraphics-commons",
)
SETUP_HINT = "run .ci/witness-setup"


def engine_jar() -> Path:
    """Path of `Vengine.jar`: `HEXFORGE_VENGINE` if set, else where `.ci/witness-setup` puts it."""
    named = os.environ.get("HEXFORGE_VENGINE")
    return Path(named) if named else Path(sys.prefix) / "share" / "hexforge-witness" / "Vengine.jar"


def missing() -> list[str]:
    """What is not here of all the witness needs, in words for a person; empty when it can run."""
    lacks = [f"program {name}" for name in ("java", "javac", "Xvfb") if shutil.which(name) is None]
    if importlib.util.find_spec("jpype") is None:
        lacks.append("Python package jpype1")
    if not engine_jar().is_file():
        lacks.append(f"engine ({engine_jar()})")
    lacks += [f"Java library {name}.jar" for name in LIBRARIES if not (DEBIAN_JARS / f"{name}.jar").is_file()]
    return lacks


def classpath() -> list[str]:
    """Class path of what the engine stands on: Debian's libraries."""
    return [str(DEBIAN_JARS / f"{name}.jar") for name in LIBRARIES]


def engine_classpath() -> list[str]:
    """Class path of the engine itself: our stubs first, then its jar."""
    return [str(_compiled_stubs()), str(engine_jar())]


def _compiled_stubs() -> Path:
    """Folder of our compiled stub classes, made anew only when a source has changed.

    Raises:
        RuntimeError: javac refuses them; its message is in the text.
    """
    sources = sorted((HERE / "java").rglob("*.java"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    folder = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "hexforge-witness"
    target = folder / f"stubs-{digest}"
    if target.is_dir():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder))
    command = ["javac", "--release", "11", "-nowarn", "-cp", str(engine_jar()), "-d", str(scratch)]
    done = subprocess.run([*command, *map(str, sources)], capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(scratch)
        raise RuntimeError(f"javac refuses the witness's stub classes:\n{done.stderr}")
    try:
        scratch.rename(target)
    except OSError:
        shutil.rmtree(scratch)  # another process was faster
    return target
