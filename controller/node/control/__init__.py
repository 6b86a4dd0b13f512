"""The control socket: the door, PINs, feeds and the client; `link` is the one file that knows zmq."""
