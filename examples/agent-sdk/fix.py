"""Ask an agent to do something in this directory, and ask the user before it changes anything.

    pip install claude-agent-sdk
    python fix.py "make the tests pass"

The Agent SDK is unmodified. Only cli_path says that awl is the agent."""

import asyncio
import os
import sys

from claude_agent_sdk import (AssistantMessage, ClaudeAgentOptions, ClaudeSDKClient, PermissionResultAllow,
                              PermissionResultDeny, ResultMessage, TextBlock)


async def can_use_tool(tool, given, context):
    answer = await asyncio.to_thread(input, f"{tool} {given}\nAllow? [y]es, [a]lways, [n]o: ")
    if answer == "y":
        return PermissionResultAllow()
    if answer == "a":
        return PermissionResultAllow(updated_permissions=context.suggestions)
    return PermissionResultDeny(message="The user said no.")


async def main():
    options = ClaudeAgentOptions(cli_path=os.environ.get("AWL", "/usr/local/bin/awl"), can_use_tool=can_use_tool,
                                 system_prompt={"type": "preset", "preset": "claude_code"})
    async with ClaudeSDKClient(options=options) as client:
        await client.query(sys.argv[1] if len(sys.argv) > 1 else "Say hello.")
        async for message in client.receive_response():
            if isinstance(message, AssistantMessage):
                for block in message.content:
                    if isinstance(block, TextBlock):
                        print(block.text)
            elif isinstance(message, ResultMessage):
                print(f"{message.num_turns} turns, ${message.total_cost_usd or 0:.4f}", file=sys.stderr)


asyncio.run(main())
