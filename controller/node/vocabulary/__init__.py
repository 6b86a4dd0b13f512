"""What the parts of a node talk about: what stands where, what devices should do, what clients say and see."""
