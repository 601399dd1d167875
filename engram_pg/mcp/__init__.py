"""The memory as tools for an agent, by the Model Context Protocol."""
