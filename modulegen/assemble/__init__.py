"""Fourth stage of a build: the build file, the set-ups and the help, from a plan."""
