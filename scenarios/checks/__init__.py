"""What a map maker would want to be told: the rules by which a scenario is examined."""
