"""What a record is for its readers: its rows, its open form, its witness, and the facts as values."""
