"""An MCP server over stdio that misbehaves in every way that a test wants: each tool is one."""

import json
import os
import sys

TOOLS = ("stderr", "late", "first", "second", "never", "huge", "huge_notice", "invalid", "stranger", "twice", "deep",
         "echo")
MEGABYTE = "x" * (1 << 20)
held = {}


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(message_id, text):
    say(json.dumps({"jsonrpc": "2.0", "id": message_id, "result": {"content": [{"type": "text", "text": text}]}}))


def flood(stream, end):
    """100 MB in one line, without ever holding it."""
    for _ in range(100):
        stream.write(MEGABYTE)
    stream.write(end)
    stream.flush()


def call(message_id, name):
    if name == "stderr":
        flood(sys.stderr, "\n")
        answer(message_id, "after the flood")
    elif name in ("first", "second"):  # the second is answered before the first
        held[name] = message_id
        if len(held) == 2:
            answer(held.pop("second"), "second")
            answer(held.pop("first"), "first")
    elif name == "never":
        pass
    elif name == "huge":
        sys.stdout.write('{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"')
        flood(sys.stdout, '"}]},"id":%d}\n' % message_id)
    elif name == "huge_notice":
        sys.stdout.write('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"')
        flood(sys.stdout, '"}}\n')
    elif name == "invalid":
        say('{"jsonrpc": "2.0", "id": ')
        say("\x00\xff not JSON at all")
        say("[]")
        say('{"id": %d}' % message_id)
        answer(message_id, "after nonsense")
    elif name == "stranger":
        answer(987654, "nobody asked")
        say('{"jsonrpc":"2.0","id":"x","result":{}}')
        answer(message_id, "mine")
    elif name == "twice":
        answer(message_id, "one")
        answer(message_id, "two")
    elif name == "deep":
        say('{"jsonrpc":"2.0","id":%d,"result":%s%s}' % (message_id, '{"a":' * 100000 + "1", "}" * 100000))
    else:
        answer(message_id, name)


def main():
    for line in sys.stdin:
        message = json.loads(line)
        method = message.get("method")
        if "id" not in message:
            continue
        if method == "initialize":
            result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                      "serverInfo": {"name": "hostile", "version": str(os.getpid())}}
        elif method == "tools/list":
            result = {"tools": [{"name": name, "description": name, "inputSchema": {"type": "object"},
                                 "annotations": {"readOnlyHint": True}} for name in TOOLS]}
        elif method == "tools/call":
            call(message["id"], message["params"]["name"])
            continue
        else:
            say(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}}))
            continue
        say(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}))


main()
