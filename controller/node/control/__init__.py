"""The control socket: the node's end of it, who stands there and what he may have of it, and the client's end."""
