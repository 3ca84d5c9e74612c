"""Published rules, and a coach that explains their advice.

A rule is lines of points and a threshold (`points`). `oracle`, `sage`, `hutchison` and `hutchison8` are the rules,
`catalogue` has them by name, and `coach` puts a rule's advice on one hand into words.
"""
