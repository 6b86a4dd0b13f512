"""Numbers as a Spanish reader writes them: 1.234.567,89. Whole-number arithmetic throughout.

A figure that has to be shortened is rounded to the nearest, halves up, as every published table does. Amounts
of money that are owed are whole units already and are printed as they are.
"""

from fractions import Fraction
from math import isqrt

from controller.rules.money import PPM, Money
from controller.rules.ruleset import Currency


def whole(number: int) -> str:
    """1234567 as 1.234.567."""
    return f"{number:,}".replace(",", ".")


def decimal(number: Fraction, places: int) -> str:
    """A fraction to so many decimals."""
    scaled = (2 * abs(number.numerator) * 10**places + number.denominator) // (2 * number.denominator)
    sign = "-" if number < 0 and scaled else ""
    units, rest = divmod(scaled, 10**places)
    return f"{sign}{whole(units)},{rest:0{places}d}" if places else f"{sign}{whole(units)}"


def percent(part: Fraction, places: int = 2) -> str:
    """A share as a percentage, without the zeros at its end."""
    text = decimal(part * 100, places)
    return (text.rstrip("0").rstrip(",") if "," in text else text) + " %"


def share_percent(ppm: int) -> str:
    """A share in millionths as a percentage."""
    return percent(Fraction(ppm, PPM), 4)


def root(number: Fraction, places: int) -> str:
    """The square root of a fraction."""
    scaled = 100 ** (places + 1) * number.numerator // number.denominator
    return decimal(Fraction(isqrt(scaled), 10 ** (places + 1)), places)


def money(currency: Currency, amount: int | Money | Fraction) -> str:
    """An amount with its symbol: $ 1.000, Bs 12,50."""
    return f"{currency.symbol} {decimal(Fraction(amount) * Fraction(1, 10**currency.decimals), currency.decimals)}"


def one_in(chance: Fraction) -> str:
    """A chance as "1 en 4.165"; with decimals where they say something."""
    if chance == 0:
        return "imposible"
    times = 1 / chance
    return f"1 en {decimal(times, 2 if times < 100_000 and times.denominator != 1 else 0)}"


def span(hours: Fraction) -> str:
    """A time between two events in the unit a person would use."""
    if hours < 1:
        return f"{decimal(hours * 60, 1)} min"
    if hours < 48:
        return f"{decimal(hours, 1)} h"
    if hours < 24 * 730:
        return f"{decimal(hours * Fraction(1, 24), 1)} días"
    return f"{decimal(hours * Fraction(1, 24 * 365), 1)} años"
