"""Whether dice fell as dice do: throws out of logs and sheets, exact tests on them, and how that is told."""
