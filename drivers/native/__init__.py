"""The native device contract (docs/device-contract.md): its registers, their images, and the driver of one unit."""
