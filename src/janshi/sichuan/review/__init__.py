"""Reviews of Sichuan games: advice on a decision, and a whole game."""
