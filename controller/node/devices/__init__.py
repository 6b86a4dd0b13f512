"""Places become ports and drivers; wishes travel to them and readings come back, on the rack's thread."""
