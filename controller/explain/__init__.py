"""Stories out of a record: why an award, a draw, a pass or a fact is what it is."""
