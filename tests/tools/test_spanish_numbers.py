"""Numbers as a Spanish reader writes them."""

from fractions import Fraction

import pytest

from controller.rules.ruleset import Currency
from controller.spanish.numbers import decimal, money, one_in, percent, span, whole

CLP, BOB = Currency("CLP", "$", 0, ""), Currency("BOB", "Bs", 2, "")


@pytest.mark.parametrize(
    ("shown", "written"),
    [
        (whole(0), "0"),
        (whole(1_234_567), "1.234.567"),
        (decimal(Fraction(2, 3), 2), "0,67"),
        (decimal(Fraction(1, 2), 0), "1"),
        (decimal(Fraction(-5, 2), 1), "-2,5"),
        (decimal(Fraction(-1, 1000), 2), "0,00"),
        (decimal(Fraction(9_999_999, 1000), 2), "10.000,00"),
        (decimal(Fraction(1, 20), 2), "0,05"),
        (percent(Fraction(1, 8)), "12,5 %"),
        (percent(Fraction(1)), "100 %"),
        (percent(Fraction(1385, 3822), 6), "36,237572 %"),
        (money(CLP, 80_000_000), "$ 80.000.000"),
        (money(CLP, Fraction(4_142_900_000, 19)), "$ 218.047.368"),
        (money(BOB, 1_234_505), "Bs 12.345,05"),
        (one_in(Fraction(1, 649_740)), "1 en 649.740"),
        (one_in(Fraction(6, 4165)), "1 en 694,17"),
        (one_in(Fraction(0)), "imposible"),
        (span(Fraction(1, 4)), "15,0 min"),
        (span(Fraction(3, 2)), "1,5 h"),
        (span(Fraction(60)), "2,5 días"),
        (span(Fraction(24 * 365 * 3)), "3,0 años"),
    ],
)
def test_figures(shown, written):
    assert shown == written
