"""What a plan and its ruleset say, read from the documents in the record with nothing but a TOML reader.

Theory. The documents stand in the record word for word (R-26), so a verifier needs no file beside it and trusts no
reading of the program's. Whether an authority could have approved them is asked of the strict reader in `Published`,
which the caller hands in; what they mean is taken from the tables of the text itself.
"""

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from controller.verify.wrong import must

WHOLE = 1_000_000
ORDER = ("escalera", "color", "full", "poker", "escalera_color", "escalera_real")
ACTS = frozenset({"folded", "exchanged", "bought"})
_RANKS = "23456789TJQKA"

SHIPPED = {
    "scj-2023": (
        "a10be9f4bd55d21188b7336a8bdbf98446180d0c0ae82a57b00300c2493a5a9e",
        "8cbc36ba6e4cfc59302be045af628cdba53b73fa940c5cae95065c764d81d57b",
        "63fabccfa0bf959a153551239b363648e8407fca38bfd6f5bc6975d15e246ebb",
        "c686caead29a99a0fe0f4f4388c3521dfc08c99510a318549b15ef85c522d3f2",
    ),
    "aj-bolivia": (
        "1196fdbfba2ed0a24f3c9918ee2a9d73f954fce064ba158ac8ba0af07be1b0a5",
        "87ec1c475e3f338f3dc96bb3cbf14554da9c4bcbf56be3d6a8522bb42193d190",
        "c77cb5749dd38d1e251ecf203ca5eea8d8adcadc13673eac3d344e4957caf464",
        "c144aefe70b06a0dc3946e939071350139dd5e7aa76a0048e4f2f80ebaf491bf",
        "078dc4f6cb6f44825a5f7b1ac05b9c27a32849117ca01bb8de359d0a19334622",
    ),
    "arica-2017": (
        "e56ab979568fe68bcc1795de041580f36f69f5ee11d9783501758446b83b8b5f",
        "88cdfb178f03e7738422c8d73c709dda0a907863280c404277085c751e1fabaa",
        "59d4692f8814acc90ecb064d22638ef5f11222cc4e5040e50cfe8832aae7a18f",
        "dda599e2844fcfd1baf50c8dc134ffc2e07324437f970fd6001b5bc75eff7ab8",
        "63bd385c847a3352679185ec3503ec337ff9f35c5209cde7c409339d235fa74e",
    ),
}
"""R-26: by name, what each law that is shipped with the program ever said: the SHA-256 of its values, keys in order."""


class Published(NamedTuple):
    """What a record is measured by and does not hold: `fault_of` a plan and its ruleset, which says why no authority
    could approve them ("" where one could), and the rule and the sentence of every refusal, by its code."""

    fault_of: Callable[[str, str], str]
    refusals: Mapping[str, tuple[str, str]]


class Prize(NamedTuple):
    """R-11: one of a multiple of the bet, an amount for each unit, a percentage in millionths with or without cap."""

    times: int = 0
    per_unit: int = 0
    ppm: int = 0
    cap: int = 0


class Game(NamedTuple):
    """R-7, R-8: a modality."""

    name: str
    seats: int
    own: int
    community: int
    forfeits: frozenset[str]
    acts: frozenset[str] = ACTS


class Random(NamedTuple):
    """R-29: a complementary prize of the plan."""

    name: str
    amount: int
    drawn: str
    promo: bool
    source: str
    one_in: int
    within_minutes: int
    paid_in: str = ""
    authorisation: str = ""
    excludes: frozenset[str] = frozenset()


class Named(NamedTuple):
    """R-29: a complementary prize that the law itself names, and what it says of it."""

    name: str
    drawn: str
    paid_in: str
    excludes: frozenset[str]


class Law(NamedTuple):
    """Everything of a plan and its ruleset that decides about money."""

    pot: str
    resolution: str
    commission: int
    reserves: dict[str, int]
    base: int
    ceiling: int | None
    credit: int
    least: int
    most: int
    unit: int
    tables: dict[str, tuple[str, Game]]
    randoms: tuple[Random, ...]
    alone_up_to: int
    minutes: int
    paytable: dict[str, Prize]
    cap_by_category: bool
    one_odd_unit_each: bool
    base_by_house: bool
    shortfall_by_house: bool
    void_undoes_nothing: bool
    late_by_house: bool = False
    real_of_uncut: bool = False
    unit_once: bool = False
    reviews: bool = True
    registration: str = ""
    none_registered_above: int | None = None
    cards_from: str = "poker"
    named: tuple[Named, ...] = ()
    awards_in: str = ""
    credits_for: str = ""
    max_offline: int = 30
    advance_percent: int = 50


def read_law(plan_text: str, ruleset_text: str, published: Published) -> Law:
    """R-26: what the documents say; if they could not have been approved, why."""
    fault = published.fault_of(plan_text, ruleset_text)
    must(not fault, "R-26", f"el plan no se pudo haber aprobado: {fault}")
    plan, law = tomllib.loads(plan_text), tomllib.loads(ruleset_text)
    bets, pot, readings = plan["bets"], plan["pot"], law["readings"]
    return Law(
        pot=plan["name"],
        resolution=plan["resolution"],
        commission=plan["commission_ppm"],
        reserves={row["name"]: row["ppm"] for row in plan["allocation"].get("reserves", [])},
        base=pot["base"],
        ceiling=pot.get("ceiling"),
        credit=bets["credit_value"],
        least=bets["min_bet"],
        most=bets["max_bet"],
        unit=bets.get("unit", 1),
        tables={_table(row): (row["casino"], _game(row["modality"], law)) for row in plan["tables"]},
        randoms=tuple(_random(row) for row in plan.get("complementary", [])),
        alone_up_to=plan.get("awards", {}).get("two_persons_above", 0),
        none_registered_above=plan.get("awards", {}).get("none_registered_above"),
        cards_from=plan.get("awards", {}).get("cards_from", "poker"),
        minutes=law["verification"]["minutes"],
        paytable={name: _prize(row) for name, row in law["paytable"].items()},
        cap_by_category=readings["cap"] == "category",
        one_odd_unit_each=readings["odd_units"] == "one_each",
        base_by_house=readings["base_from"] == "house",
        shortfall_by_house=readings["shortfall_from"] == "house",
        void_undoes_nothing=readings["void_undoes"] == "nothing",
        # what the second reading added; a ruleset of before it means the default.
        late_by_house=readings.get("late_from") == "house",
        real_of_uncut=readings.get("real_after_cap") == "uncut",
        registration=plan.get("registration", ""),
        unit_once=readings.get("per_unit") == "bet",
        named=tuple(_named(row) for row in law["complementary"].get("prizes", ())),
        awards_in=law.get("payment", {}).get("awards_in", ""),
        credits_for=law.get("payment", {}).get("credits_for", ""),
        max_offline=plan.get("links", {}).get("max_offline_minutes", 30),
        advance_percent=plan.get("links", {}).get("advance_percent", 50),
        reviews=law.get("review", {}).get("every_hand", True),  # all but AJ ask for it
    )


def _game(name: str, law: dict[str, Any]) -> Game:
    """R-8, R-33: a ruleset that does not say which acts there are took every one."""
    row = law["modalities"][name]
    forfeits = set(row["forfeits"])
    if name == "draw" and law["readings"].get("draw_fold_forfeits", False):
        forfeits.add("folded")
    acts = frozenset(row.get("acts", ACTS))
    return Game(name, row["seats"], row["own_cards"], row["community_cards"], frozenset(forfeits), acts)


def _prize(row: dict[str, Any]) -> Prize:
    return Prize(row.get("times", 0), row.get("per_unit", 0), row.get("percent_ppm", 0), row.get("cap_times", 0))


def _random(row: dict[str, Any]) -> Random:
    return Random(
        name=row["name"],
        amount=row["amount"],
        drawn=row["drawn"],
        promo=row["paid_in"] == "promotional_credits",
        source=row["from"],
        one_in=row.get("one_in", 0),
        within_minutes=row.get("within_minutes", 0),
        paid_in=row["paid_in"],
        authorisation=row.get("authorisation", ""),
        excludes=frozenset(row.get("excludes", ())),
    )


def _table(row: dict[str, Any]) -> str:
    """R-9, R-28: as the owner of the pot calls it: by its node, where it is a neighbour's."""
    return f"{row['name']}@{row['node']}" if row.get("node") else str(row["name"])


def _named(row: dict[str, Any]) -> Named:
    return Named(row["name"], row["drawn"], row.get("paid_in", ""), frozenset(row.get("excludes", ())))


def changes_between(old: str, new: str) -> list[tuple[str, str, str]]:
    """R-26: every value of a document that is another one, by its name: (name, old, new)."""
    before, after = dict(_values("", tomllib.loads(old))), dict(_values("", tomllib.loads(new)))
    names = sorted(before.keys() | after.keys())
    rows = [(name, before.get(name, ""), after.get(name, "")) for name in names]
    return [row for row in rows if row[1] != row[2] or (row[0] in before) != (row[0] in after)]


def _values(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key in value:
            yield from _values(f"{name}.{key}" if name else key, value[key])
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _values(f"{name}[{at}]", inner)
    else:
        yield name, str(value)


def hand_of(cards: list[str]) -> str:
    """R-10: what five cards make, the way one would explain it; nothing that no law pays is an empty word."""
    ranks = sorted(_RANKS.index(card[0]) for card in cards)
    one_suit = len({card[1] for card in cards}) == 1
    in_sequence = ranks in ([ranks[0] + step for step in range(5)], [0, 1, 2, 3, 12])
    groups = sorted(ranks.count(rank) for rank in set(ranks))
    if one_suit and in_sequence:
        return "escalera_real" if ranks[0] == 8 else "escalera_color"
    if groups == [1, 4]:
        return "poker"
    if groups == [2, 3]:
        return "full"
    if one_suit:
        return "color"
    return "escalera" if in_sequence else ""


def is_card(name: str) -> bool:
    return len(name) == 2 and name[0] in _RANKS and name[1] in "cdhs"


def content_of(ruleset: str) -> str:
    """R-26: the SHA-256 of a ruleset's values, as JSON without blanks and with the keys of each table in order."""
    values = json.dumps(tomllib.loads(ruleset), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(values.encode()).hexdigest()


def prove_named(ruleset: str, read_as: Callable[[str], str]) -> None:
    """R-26, R-33: a name that is, or reads like, that of a shipped law stands over what was shipped under it."""
    name = tomllib.loads(ruleset)["name"]
    for known, contents in SHIPPED.items():
        if read_as(name) == read_as(known):
            must(
                name == known and content_of(ruleset) in contents,
                "R-26",
                f"el reglamento no es el que se llama {known}",
            )
