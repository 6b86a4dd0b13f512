"""What auditors, laboratories and disputing players run: re-computation, reports, figures. Never part of play.

lines         JSON Lines in, JSON Lines out, whatever comes in
settle_lines  `pozo settle`: what a pass pays
accrue_lines  `pozo accrue`: what bets contribute
figures       numbers as a Spanish reader writes them
solvency      a seeded simulation of a pot over many bets
forecast      every figure of a plan, exact and simulated, as one value
sheet         the approval sheet of a plan, and the report of its odds
plot          the same as a picture
"""
