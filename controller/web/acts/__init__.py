"""What is asked through `pozo web`: requests of a browser become requests of the control socket, answers come back."""
