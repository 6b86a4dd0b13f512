"""The languages in which the faces speak; their words are in `pages/ground/texts`."""

from enum import StrEnum


class Language(StrEnum):
    """Of a sign, or of a browser that has chosen none."""

    SPANISH = "es"
    ENGLISH = "en"
