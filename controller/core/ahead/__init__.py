"""What an act would do, seen before anybody has confirmed it (R-20).

foresight   the answer that the act would get now, thrown away
preview     what of it a person is shown, and the fingerprint by which he confirms it
reckoning   how the amounts of a claim come about
"""
