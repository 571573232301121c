"""`modulegen lint`: what is wrong with any module or extension, its own or others', and what would mend it."""
