"""The service that runs tables and pots. Imports `rules`, `core`, `documents`, `drivers`.

One thread decides (engine), one moves bytes (drivers/rack), one talks to clients (control). In the order of a bet:

places, wishes, protocol   the vocabulary: what stands where, what devices should do, what clients say and see
clock, disk                what time it is, and what a power cut leaves
settings                   a settings file becomes places, or a list of errors
hardware                   places become ports and drivers; what must outlive a device without a memory
floor                      between devices and core: what the core should hear, what the devices should be told
engine                     hears, asks, commits, and only then lets anything happen; what persons ask for
book                       answers inputs and makes their facts durable; hashes, keys, PINs, the secret of the day
store                      the database behind it
signboard                  what signs say
control                    the control socket
service                    the process: start and end, logs, counts, systemd, installation
"""
