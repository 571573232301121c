"""Schemas of the scenario files, one module a file. Each top-level class is what one file holds."""
