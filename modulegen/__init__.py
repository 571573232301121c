"""Compile a scenario into a VASSAL module."""
