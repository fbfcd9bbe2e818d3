"""What can be worked out from a seat's view."""
