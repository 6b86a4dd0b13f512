"""The line between host and devices, simulated or real: who hears whom, how late, and what gets lost."""
