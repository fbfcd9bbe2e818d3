"""The `long` paper: dense networks over an array of numbers, and predictions of yaku that are fed back to them."""
