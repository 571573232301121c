"""Draw counters, boards and charts: SVG templates filled from data, rasterised to PNG."""
