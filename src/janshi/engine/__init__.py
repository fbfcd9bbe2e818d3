"""The compiled table: rules as plain functions over NumPy records."""
