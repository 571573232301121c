"""Fourth stage: the build file, the set-ups and the help, from a plan."""
