"""Off-the-shelf Modbus I/O as seats: counters for bet buttons, outputs for lamps, inputs that prove the lamps."""
