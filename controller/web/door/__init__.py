"""Who is let in by `pozo web`: terminals, sessions, signatures, origins, bounds, TLS."""
