"""Nodes that share pots, in one process and without a wire: letters are carried by hand."""
