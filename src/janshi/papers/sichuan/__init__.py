"""The double DQN of the Sichuan paper and its heuristic: matches, training, tables."""
