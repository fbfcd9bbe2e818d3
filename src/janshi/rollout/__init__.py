"""Agents at tables: the driver that lets them play, and single positions to look at."""
