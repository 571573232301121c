"""Command lines, audit, server, language server: all that starts or serves the referee.

`app` answers the browser, `apart` judges in a process that can be ended, `judge` is what happens there, `shelf`
holds what came of it. What comes from a browser is bytes with a name that is shown: no name of it is ever a path,
and nothing is written unless a folder was given for that.
"""
