"""What leaves the engine when nobody waits for it: the view, the signs' texts, the alarms."""
