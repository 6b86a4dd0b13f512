"""Devices at the table, written without I/O: receive, next_event, to_send, deadline, tick. Never imports `controller`."""
