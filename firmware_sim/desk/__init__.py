"""A whole table of simulated devices, and the person who stands before it with a command."""
