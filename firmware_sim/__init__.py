"""Simulated devices of the same quality as the drivers, and the line between. May use the pure part of `drivers`."""
