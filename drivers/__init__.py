"""Devices at the table, written without I/O: five verbs and one pump. Never imports `controller`."""
