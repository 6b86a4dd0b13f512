"""A simulated unit at the end of a line, by the kind of line it hangs on."""

from firmware_sim.line.slave_rtu import RtuSlave
from firmware_sim.line.slave_tcp import TcpSlave

__all__ = ["RtuSlave", "TcpSlave"]
