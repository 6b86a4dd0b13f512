"""Between devices and core: what the core should hear of them, and what they should be sent. `Floor` is the door.

It touches nothing and remembers nothing of what was said before: every turn compares the newest readings with the
record, so a restart loses nothing.
"""
