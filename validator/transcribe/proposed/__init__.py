"""What reads parts of logs that VASSAL itself has not adopted yet.

`random_numbers`: the command `RNG` of vassalengine/vassal, pull request 15004, not merged. To remove it, delete
this folder, `art/words/random_numbers.*.yaml` and their tests, and let `EXTRAS` in `transcribe/extras.py` be `()`.
"""
