"""The service that runs tables and pots. Imports `rules`, `core`, `documents`, `drivers`.

One thread decides (engine), one moves bytes (drivers/rack), one talks to clients (control). In the order of a bet:

places, wishes, protocol   the vocabulary: what stands where, what devices should do, what clients say and see
settings_*, hardware       a settings file becomes places; places become ports and drivers
listener, inbox            what the lines tell, and what persons ask, waits here for the engine
floor_*                    between devices and core: what the core should hear, what the devices should be told
engine                     hears, asks, commits, and only then lets anything happen
reception, deeds           what persons ask for, and whether they may
draws, seeds, overdue      complementary draws, the secret of the day, awards that wait too long
book, chain, pins          answers inputs and makes their facts durable; hashes and keys; verifiers of PINs
store_*                    the database behind it: SQLite or PostgreSQL, one writer, readers that do no harm
hands, memories, resuming  wishes on their way to the drivers; what must outlive devices without a memory
signboard_*, show          what signs say, and everything outward that nobody waits for
control_*, link_control    the control socket: the door, PINs, feeds; the one place that knows zmq
daemon, life, founding     a start and an end; a node's first day
installation, debian       a folder has one node; unit files, user, udev rules
journal, metrics, counts   what is logged, what is counted
restore, record            back from a backup, under a new epoch; where a node's files lie
"""
