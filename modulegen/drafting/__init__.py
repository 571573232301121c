"""`modulegen import`: a draft of a scenario from any module, and what could not be told of it."""
