"""The notation of sheets: words, lines and tokens, and the statements that are read from them and written again."""
