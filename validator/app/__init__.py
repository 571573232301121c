"""Command lines, audit, page server, language server: all that starts or serves the referee."""
