"""API keys as bearer tokens."""

from __future__ import annotations

from mcp.server.auth.provider import AccessToken, TokenVerifier

from engram_pg.mcp.access import SCOPES
from engram_pg.mcp.memory import Memory


class KeyVerifier(TokenVerifier):
    """Looks a key up in the database at each request, so that a revoked one is out at once."""

    memory: Memory | None = None

    async def verify_token(self, token: str) -> AccessToken | None:
        key = None if self.memory is None or "\0" in token else await self.memory.key(token)
        if key is None:
            return None
        return AccessToken(
            token="",  # nobody behind this needs the secret
            client_id=f"key {key['key_id']}",
            scopes=list(SCOPES[key["scope"]]),
            claims={"tenant": key["tenant"], "users": key["users"]},
        )
