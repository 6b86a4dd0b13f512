"""A box that burned, before it is a node again: it takes its mirror from its casino's node over the link (R-27).

mirror_copy    what came, and what of it is believed
fetch          how it dials, asks, waits and is cut off
"""
