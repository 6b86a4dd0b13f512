"""Simulated devices of other makers: signs, panels, I/O modules, ccTalk acceptors."""
