"""`modulegen import` and `bind`: drafts of scenarios from any module, and what ties a module to a game."""
