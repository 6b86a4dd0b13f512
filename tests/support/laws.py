"""Rulesets as an authority might have approved them: our own with one thing more, under a name of the house's own."""

import tomllib

from controller.core.plans import content_of
from controller.rules.approval import refuse_borrowed_name


def naming(law: str, card: str, amount: int = 15_000) -> str:
    """R-29: a ruleset whose authority named this contest of cards."""
    assert "[complementary]" in law, "a ruleset as a text"
    return f'{law}\n[[complementary.prizes]]\nname = "{card}"\namount = {amount}\ndrawn = "card"\nclause = "su resolución"\n'


def as_own(plan: str, law: str) -> tuple[str, str]:
    """R-26: a plan and its law; where the law says something else than the shipped one, both name it otherwise."""
    name = tomllib.loads(law)["name"]
    if refuse_borrowed_name(name, content_of(law)) is None:
        return plan, law
    old, new = f'"{name}"', f'"{name} de la casa"'
    return plan.replace(f"ruleset = {old}", f"ruleset = {new}"), law.replace(f"name = {old}", f"name = {new}", 1)
