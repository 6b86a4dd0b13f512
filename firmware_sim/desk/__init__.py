"""A whole table of simulated devices, and whoever stands before it with a command."""
