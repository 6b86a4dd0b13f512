"""Rulesets as an authority might have approved them: our own with one thing more."""


def naming(law: str, card: str, amount: int = 15_000) -> str:
    """R-29: a ruleset whose authority named this contest of cards."""
    assert "[complementary]" in law, "a ruleset as a text"
    return f'{law}\n[[complementary.prizes]]\nname = "{card}"\namount = {amount}\ndrawn = "card"\nclause = "su resolución"\n'
