"""Money as a sign shows it: whole minor units to text, all digits or nothing.

A sign that is too narrow for an amount is refused by name, before it is configured; no amount is ever cut, rounded or
abbreviated. Which currency looks how is the settings' business, so a form is a value.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountForm:
    """The default is the Chilean peso: `$12.345.678`."""

    before: str = "$"
    thousands: str = "."
    decimals: int = 0  # how many of the last digits stand behind the point
    point: str = ","

    def __post_init__(self) -> None:
        assert 0 <= self.decimals <= 4, "no currency has more"
        assert self.decimals == 0 or self.point, "without a point, cents would be read as pesos"
        assert not (any(letter.isdecimal() for letter in self.before + self.thousands + self.point)), "digits are money"

    def text(self, amount: int) -> str:
        assert amount >= 0, "no sign shows a debt"
        whole, part = divmod(amount, 10**self.decimals)
        text = f"{self.before}{whole:,}".replace(",", self.thousands)
        return f"{text}{self.point}{part:0{self.decimals}}" if self.decimals else text


PLAIN = AmountForm(before="", thousands="")  # for panels that know nothing but digits
