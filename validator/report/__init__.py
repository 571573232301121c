"""Reports of judgements: text, JSON, pages, workbooks, SARIF, replays, dice."""
