"""`pozo web`: the faces of a node in a browser, a process of its own and one more client of the control socket.

It decides nothing. Start with server.py, which puts it together; docs/web.md is how it is made, and why.
"""
