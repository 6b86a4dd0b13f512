"""Where the law leaves room: the settings whose other value an authority may have approved (R-33).

Theory. A reading is a value of a ruleset, never a branch that somebody forgot: each has a name, a default, and a second
value that means another law. A ruleset of before the second reading lacks some of them, and means their defaults.
This file must not know what a reading does; whoever obeys a rule asks for it.
"""

from dataclasses import dataclass
from enum import StrEnum

from controller.rules.document import Choice, Section


class Cap(StrEnum):
    """R-33: how the cap of a percentage is read (R-17)."""

    EACH_WINNER = "each_winner"
    CATEGORY = "category"


class OddUnits(StrEnum):
    """R-33: who gets the units that do not divide (R-16)."""

    NEAREST_WINNER = "nearest_winner"
    ONE_EACH = "one_each"


class Backing(StrEnum):
    """R-33: who stands behind a pot, for its base (R-19) and for its shortfall (R-18)."""

    RESERVES_THEN_HOUSE = "reserves_then_house"
    HOUSE = "house"


class VoidUndoes(StrEnum):
    """R-33: what a void pass undoes (R-25)."""

    CONTRIBUTIONS = "contributions"
    NOTHING = "nothing"


class LateFrom(StrEnum):
    """R-33: who pays a winner that was found late (R-34, R-35)."""

    AS_IN_TIME = "as_in_time"
    HOUSE = "house"


class RealAfterCap(StrEnum):
    """R-33: what 100 % is taken of where a cap cut a lower percentage (R-17)."""

    REST = "rest"
    UNCUT = "uncut"


class PerUnitOwed(StrEnum):
    """R-33: how often an amount "por seguro apostado" is owed (R-11)."""

    EACH_UNIT = "each_unit"
    BET = "bet"


@dataclass(frozen=True, slots=True)
class Readings:
    """R-33: where the law leaves room, the reading that the authority approved."""

    cap: Cap = Cap.EACH_WINNER
    odd_units: OddUnits = OddUnits.NEAREST_WINNER
    base_from: Backing = Backing.RESERVES_THEN_HOUSE
    shortfall_from: Backing = Backing.RESERVES_THEN_HOUSE
    void_undoes: VoidUndoes = VoidUndoes.CONTRIBUTIONS
    late_from: LateFrom = LateFrom.AS_IN_TIME
    real_after_cap: RealAfterCap = RealAfterCap.REST
    draw_fold_forfeits: bool = False
    per_unit: PerUnitOwed = PerUnitOwed.EACH_UNIT
    clause: str = "R-33"


def read_readings(section: Section) -> Readings:
    """R-33. What the second reading added may be missing: a ruleset of before it means the default."""
    readings = Readings(
        cap=section.choice("cap", "R-17", Cap),
        odd_units=section.choice("odd_units", "R-16", OddUnits),
        base_from=section.choice("base_from", "R-19", Backing),
        shortfall_from=section.choice("shortfall_from", "R-18", Backing),
        void_undoes=section.choice("void_undoes", "R-25", VoidUndoes),
        late_from=_choice_or(section, "late_from", "R-34", LateFrom.AS_IN_TIME),
        real_after_cap=_choice_or(section, "real_after_cap", "R-17", RealAfterCap.REST),
        draw_fold_forfeits=section.has("draw_fold_forfeits") and section.flag("draw_fold_forfeits", "R-8"),
        per_unit=_choice_or(section, "per_unit", "R-11", PerUnitOwed.EACH_UNIT),
        clause=section.text("clause", "R-33"),
    )
    section.close()
    return readings


def _choice_or(section: Section, key: str, rule: str, usual: Choice) -> Choice:
    assert usual.value, "a setting has a default"
    return section.choice(key, rule, type(usual)) if section.has(key) else usual
