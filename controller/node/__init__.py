"""The service that runs tables and pots: settings, store, engine, devices, link, daemon. It may import `rules` and `core`."""
