"""The database behind the book: SQLite or PostgreSQL, one writer, readers that do no harm. The door is `Store`."""
