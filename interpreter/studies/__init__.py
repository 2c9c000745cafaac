"""Studies of disputes: the same games under several rules, counted, compared in pairs and told in words."""
