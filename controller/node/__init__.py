"""The service that runs tables and pots. Imports `rules`, `core`, `documents`, `drivers`.

One thread decides (engine), one moves bytes (drivers/rack.py), one talks to clients (control). Each folder may import
those above it; tests/tools/test_tidy.py says which of them exactly:

    vocabulary   what stands where, what devices should do, what clients say and see; inbox, clock, disk
    settings     a settings file becomes places, or a list of errors
    store        the database behind the book
    book         answers inputs and makes their facts durable; hashes, keys, PINs, the secret of the day
    floor        between devices and core: what the core should hear, what the devices should do
    signs        what signs say
    telemetry    journal, counts, metrics
    devices      places become ports and drivers; what must outlive a device without a memory
    control      the control socket
    link         the links to other nodes that share pots
    passage      the control socket at a distance: webs of other boxes
    rebirth      a box that burned takes its mirror over a link
    publish      what leaves the engine when nobody waits for it: views, texts of signs, alarms
    engine       hears, asks, commits, and only then lets anything happen; what persons ask for
    service      the process: its start and its end, installation, systemd
"""
