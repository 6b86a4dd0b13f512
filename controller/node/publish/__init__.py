"""What leaves the engine once the replies are out: the view, the signs' texts, the alarms."""
