"""What VASSAL itself has not adopted yet: the command `RNG` of vassalengine/vassal, pull request 15004, not merged.

`random_number` reads and writes the command, `draws` holds the numbers of a log against their seed by `javarandom`.
To remove it, delete this folder, `validator/transcribe/proposed` and their tests, and what names `RandomNumber` in
`commands/__init__.py`, `commands/minor.py`, `story.py` and `inspect.py`.
"""

import hexforge.modulegen.vassal.commands  # noqa: F401 (their table names this package's command)
