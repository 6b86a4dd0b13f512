"""What Modbus and ccTalk have in common: how numbers are compared, our own bytes on the way back, what owners hear."""
