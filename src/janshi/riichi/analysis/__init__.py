"""Analysis of a seat's view."""
