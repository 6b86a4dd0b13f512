"""Devices at the table, written without I/O: five verbs and one pump. Never imports `controller`.

session               the verbs that every driver and every simulated device has
model                 what every device tells, whatever wire it speaks
line                  what all wires have in common
modbus, cctalk        two wires and their masters
native                the device contract
signs, io_module      foreign devices behind the same model
conformance           the contract as an examination
port, pump, punctual  the shell: opening ports, moving bytes, waking in time
rack                  all lines of a node, in a thread of its own
"""
