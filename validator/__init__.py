"""Read records of played games and judge them by the rulebook."""
