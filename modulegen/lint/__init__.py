"""`modulegen lint`: what is wrong with any module or extension, its own or of others, and how to mend it."""
