"""The casino of the evening as its files say it: three desks, two approved plans, one node.

DP-01 has electronic seats, a console and an Alpha sign on RS-485, CP-01 chip slots on two ccTalk wires and no console,
TX-01 one unit for six seats, a console over TCP and a sign. The first two feed Estelar, the third Austral, whose three
complementary prizes fall in every pass: one in cash, one in promotional credits, one for whoever has the card. The line
of DP-01 is a pty on a machine with other work, so its adapter is said to be slow.
"""

from support.laws import naming
from support.places import CONFIG

_DP = """
[[line]]
name = "mesa"
kind = "rtu"
baud = 115200
[[line.unit]]
kind = "electronic"
unit = 1
seat = 1
count = 6
[[line.unit]]
kind = "console"
unit = 20
[[line]]
name = "letrero"
kind = "alpha"
[[line.unit]]
kind = "alpha"
"""
_CP = """
[[line]]
name = "ranuras"
kind = "cctalk"
echo = true
[[line.unit]]
kind = "cctalk"
unit = 11
seat = 1
count = 4
[[line]]
name = "ranuras-b"
kind = "cctalk"
echo = true
[[line.unit]]
kind = "cctalk"
unit = 15
seat = 5
count = 3
"""
_TX = """
[[line]]
name = "mesa"
kind = "tcp"
[[line.unit]]
kind = "table"
unit = 1
seat = 1
seats = 6
serial = 9001
[[line.unit]]
kind = "console"
unit = 20
serial = 9020
"""
TX_SIGN = """
[[line]]
name = "letrero"
kind = "alpha"
[[line.unit]]
kind = "alpha"
"""
"""What is left to be simulated of TX-01 where its table is the reference firmware."""
DESKS = {"DP-01": _DP, "CP-01": _CP, "TX-01": _TX + TX_SIGN}
_PLAN = """
name = "{name}"
title = "{name}"
ruleset = "{law}"
resolution = "Res. Ex. N° 100/2026"
commission_ppm = {commission}
[allocation]
main_ppm = {main}
[[allocation.reserves]]
name = "reserva"
ppm = {reserve}
[pot]
base = {base}
[bets]
credit_value = 1000
min_bet = 1000
max_bet = 5000
[awards]
two_persons_above = 250000
"""
_TABLE = """
[[tables]]
name = "{name}"
casino = "central"
modality = "{modality}"
min_bet = 1000
max_bet = 5000
"""
_PRIZES = """
[[complementary]]
name = "Estrella"
amount = 20000
drawn = "seat"
paid_in = "cash"
from = "reserva"
one_in = 1
[[complementary]]
name = "Bono"
amount = 3000
drawn = "seat"
paid_in = "promotional_credits"
from = "house"
one_in = 1
authorisation = "Aut. 7"
[[complementary]]
name = "Carta Mágica"
amount = 15000
drawn = "card"
paid_in = "cash"
from = "reserva"
one_in = 1
"""
LAW = "scj-2023-carta"
"""R-29: a law whose authority named a contest of cards."""
RULESET = naming((CONFIG / "rulesets/scj-2023.toml").read_text(), "Carta Mágica").replace("scj-2023", LAW, 1)
PLANS = {
    "estelar": _PLAN.format(
        name="estelar", law="scj-2023", commission=200_000, main=900_000, reserve=100_000, base=5_000_000
    )
    + _TABLE.format(name="DP-01", modality="draw")
    + _TABLE.format(name="CP-01", modality="caribbean_plus"),
    "austral": _PLAN.format(name="austral", law=LAW, commission=180_000, main=920_000, reserve=80_000, base=3_000_000)
    + _PRIZES
    + _TABLE.format(name="TX-01", modality="texas_plus"),
}
SETTINGS = """
name = "central"
rulesets = "laws"
folder = "folder"
control = "control"
[patience]
silent_ms = 5000
[[plan]]
file = "estelar.toml"
[[plan]]
file = "austral.toml"
[[line]]
name = "dp"
kind = "rtu"
url = "{dp[mesa]}"
baud = 115200
latency_ms = 20
[[line]]
name = "letrero"
kind = "alpha"
url = "{dp[letrero]}"
[[line]]
name = "cp"
kind = "cctalk"
url = "{cp[ranuras]}"
[[line]]
name = "cp-b"
kind = "cctalk"
url = "{cp[ranuras-b]}"
[[line]]
name = "tx"
kind = "tcp"
url = "{tx[mesa]}"
[[line]]
name = "letrero-tx"
kind = "alpha"
url = "{tx[letrero]}"
[[table]]
name = "DP-01"
[[table.unit]]
kind = "electronic"
line = "dp"
number = 1
seat = 1
count = 6
[[table.unit]]
kind = "console"
line = "dp"
number = 20
[[table]]
name = "CP-01"
console = "none"
[[table.unit]]
kind = "cctalk"
line = "cp"
number = 11
seat = 1
count = 4
[[table.unit.channel]]
number = 1
credits = 1
[[table.unit]]
kind = "cctalk"
line = "cp-b"
number = 15
seat = 5
count = 3
[[table.unit.channel]]
number = 1
credits = 1
[[table]]
name = "TX-01"
[[table.unit]]
kind = "table"
line = "tx"
number = 1
seat = 1
seats = 6
[[table.unit]]
kind = "console"
line = "tx"
number = 20
[[sign]]
kind = "alpha"
line = "letrero"
pot = "estelar"
layout = "{{amount}}   {{increment}}"
string_size = 60
address = "01"
reads = true
[[sign]]
kind = "alpha"
line = "letrero-tx"
pot = "austral"
layout = "{{amount}}"
string_size = 60
address = "01"
reads = true
"""
