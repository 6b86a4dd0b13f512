"""`pozo demo`, the main job of `make run`: a whole casino on one machine, with simulated people at simulated devices.

Theory. The node is the real one, a process of its own that knows of nothing simulated; here are only the desks it is
wired to, the people who sit at them, and a window on all of it. `casino` joins them, `croupier` and `chief` are
clients of the control socket like any other, `screen` and `view` show, `talk` is what may be typed.
"""
