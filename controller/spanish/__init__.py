"""Numbers, instants and names as a Spanish reader writes them: for sheets, reports and explanations."""
