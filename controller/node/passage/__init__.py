"""The control socket at a distance: connections of a web process that is at another box, over CURVE with pinned keys.

Theory. What arrives at the node is a connection like those of its control folder: the same octets, the same bounds, the
same refusals. So nothing of the protocol stands here. A web has one CURVE connection with a node, and in it as many
channels as it wants connections; each channel carries octets both ways, so many and no more before they were taken.

words       what two ends say to each other
channels    the connections that one CURVE connection carries
hub         the sockets of one end: who is there, what moves, who is gone
far_door    the node's end, a thread
ways        the web's end, a thread: ways to boxes by their names
web_key     the key by which boxes know a web
"""
