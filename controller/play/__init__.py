"""The casino that plays by itself, to be looked at: the demo on the real node, the rehearsal on the core."""
