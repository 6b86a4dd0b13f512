"""Modbus as this house speaks it: checksums, messages, frames, and one master that gives every unit its turn."""
