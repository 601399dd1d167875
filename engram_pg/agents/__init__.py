"""Sets up the clients of agents: their MCP configuration, and rules that say when to use the memory."""
