"""What is shown: views of the node become entities of scopes, and only what changed goes to who looks."""
