"""Small direct programs that know one game each, to compare the interpreter with.

They are written from the rules, not from the interpreter, import nothing of it,
and prefer the plain to the fast.
"""
