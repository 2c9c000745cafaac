"""Files and positions of other programs: read, checked by the rules, written."""
