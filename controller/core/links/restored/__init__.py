"""An owner of a shared pot that was put back to an old record: what it had decided binds it (R-20, R-27, R-28).

bound        what it had decided, and who may still hold some of that
taken        how it comes back from its members, and what waits for it
"""
