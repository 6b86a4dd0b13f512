"""Jackpot signs behind one model: Alpha/BetaBrite, plain serial text, Modbus text and digit panels."""
