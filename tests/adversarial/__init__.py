"""Files with faults in them, by the hundred."""
