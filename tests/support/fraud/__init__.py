"""The house in which dishonest insiders are played, and their stories."""
