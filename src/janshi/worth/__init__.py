"""Values of positions and actions: points of places, the placement model, the outcome model."""
