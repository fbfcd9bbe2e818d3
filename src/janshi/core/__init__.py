"""What every game shares: random numbers, bits, suit indices, shanten tables, shanten."""
