"""What every jackpot sign says, and what it was last seen to say. Touches nothing."""
