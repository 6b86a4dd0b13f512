"""Three casinos that share a pot, as real processes: eight nodes, four of them boxes on the floor, twelve tables."""
