"""The notation of turn sheets: statements declared once, a canonical reader and writer."""
