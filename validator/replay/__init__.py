"""Games to look at step by step, and the page for them."""
