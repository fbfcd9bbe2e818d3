"""Agents at tables: the driver, sampling of hidden tiles, and playouts."""
