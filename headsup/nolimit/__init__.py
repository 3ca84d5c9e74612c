"""No-limit hold'em from 15 to 200 big blinds: the strategies that ship and how they were made."""
