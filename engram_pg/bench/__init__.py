"""Measurements: each module is one, each prints what it measured; none touches the user's memory."""
