"""Reports: findings for the terminal, as JSON and as pages."""
