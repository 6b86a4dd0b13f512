"""ccTalk coin and token acceptors as chip slots: frames, the event counter, and the driver of one acceptor."""
