"""What an authority and a laboratory ask of a plan: sheet, odds, solvency, plots; lines that settle and accrue."""
