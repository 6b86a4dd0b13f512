"""One screen, one keyboard, one typing line for every command with a face. Knows no simulator and no node."""
