"""The service that runs tables and pots: settings, store, engine, devices, link, daemon. Imports `rules`, `core`."""
