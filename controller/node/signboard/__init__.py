"""What every jackpot sign says, and what it was last seen to say. Touches nothing.

An amount counts up to what is committed, never above; prizes are shown at once (R-31).
"""
