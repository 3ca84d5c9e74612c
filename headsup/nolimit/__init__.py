"""No-limit hold'em at 15 and 20 big blinds: the strategies that ship and how they were made."""
