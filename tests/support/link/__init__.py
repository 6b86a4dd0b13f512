"""Nodes that share pots, as the tests of links see them: small, seeded, without sockets."""
