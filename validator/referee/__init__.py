"""The referee: position + event -> position + findings, a pure function."""
