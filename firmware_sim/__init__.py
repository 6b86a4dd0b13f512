"""Simulated devices of the same quality as the drivers, and the line between. May use the pure part of `drivers`.

native   units of the device contract: seats, chip slots, console, table counter
foreign  devices of other makers: signs, panels, I/O modules, ccTalk acceptors
line     the line between host and devices, simulated or real
violations  units that break the contract, each in one place, which the examination must name
desk     a whole table of them, and the people before it
"""
