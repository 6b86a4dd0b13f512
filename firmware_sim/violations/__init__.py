"""Units that break the contract on purpose, each in one place: what the examination must see."""
