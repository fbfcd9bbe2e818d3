"""What positions and actions are worth: points of places, the placement model, the outcome model."""
