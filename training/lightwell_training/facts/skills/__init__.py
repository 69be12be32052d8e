"""Texts that teach what copying alone does not: negation, opinions, amounts, keys and tables, lists, code, speakers."""
