"""The state of a node as a pure machine: decide, apply, project. It may import `rules` and nothing else of ours."""
