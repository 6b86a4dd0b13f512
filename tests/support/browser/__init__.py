"""What the tests of the faces in a browser share: a casino with its web, a browser whose faults are failures, and measures."""
