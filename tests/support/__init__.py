"""What tests share: makers of worlds, foreign peers, witnesses. Typed like the product."""
