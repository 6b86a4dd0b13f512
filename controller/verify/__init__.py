"""An independent second hand: everything a record says, computed again. Imports `record` and itself only."""
