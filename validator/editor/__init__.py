"""What text editors ask of a turn sheet while it is typed: a language server, and a grammar for colours."""
