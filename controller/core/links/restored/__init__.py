"""A node that was put back to an old record: what it had decided binds it, what it had told stands (R-20, R-27, R-28).

asking       nothing is told to who is above before he said how far he had heard
bound        what an owner had decided, and who may still hold some of that
named        what its own people had decided and nobody tells again, letter by letter
taken        how it comes back from its members, and what waits for it
"""
