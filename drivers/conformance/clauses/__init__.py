"""What is examined, a file for each part of the contract; the catalogue of them all is `examination.CATALOGUE`."""
