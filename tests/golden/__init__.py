"""The golden net: what the product answers to all that is at hand, kept, so that no change goes unseen.

    python -m tests.golden                      compares, and shows what differs (`make golden`)
    python -m tests.golden compare check-en     compares some subjects
    python -m tests.golden accept --why TEXT    keeps what is answered now, and why (`make golden-accept WHY=TEXT`)

`kept/SUBJECT.txt` has a digest for each input of a subject, `kept/SUBJECT.jsonl.xz` the answers themselves, so that
of a difference both sides can be shown. `changes.md` lists what was accepted, and why.

It goes through the commands alone, by their names in `pyproject.toml`: it stands, whatever is moved behind them.
"""
