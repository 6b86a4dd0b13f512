"""The one thread that decides: takes what lines and persons said, commits it, and only then lets anything happen."""
