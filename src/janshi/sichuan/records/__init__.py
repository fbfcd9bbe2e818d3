"""Records of Sichuan games, and events of games in progress."""
