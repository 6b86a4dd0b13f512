"""What tests of the faces in a browser share."""
