"""Rules that were published, and what is said about them.

`points` is what a rule is: lines of points and a threshold. `oracle`, `sage`, `hutchison` and `hutchison8` are the
rules, `catalogue` has them by name, and `coach` puts a rule's advice on one hand into words.
"""
