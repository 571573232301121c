"""A round of games judged and written as a site: what a director looks at, page by page, without a network."""
