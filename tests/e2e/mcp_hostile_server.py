"""An MCP server over stdio that misbehaves in every way that a test wants: each tool is one, and MODE names how its list
is. MCP_LISTS names a file that gets a line for each time that the list was asked for."""

import json
import os
import sys

MODE = os.environ.get("MODE", "")
TOOLS = ("quoted", "both", "nothing", "half", "stderr", "late", "first", "second", "never", "huge", "huge_notice", "invalid", "stranger", "twice", "deep",
         "echo")
MEGABYTE = "x" * (1 << 20)
LOOPS = {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}, "n": {"properties": {"next": {"$ref": "#/$defs/n"}}},
         **{f"x{i}": {"allOf": [{"$ref": f"#/$defs/x{i + 1}"}] * 4} for i in range(30)}, "x30": {"type": "string"}}
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
    elif name == "quoted":
        answer(str(message_id), "quoted")
    elif name == "both":
        say('{"jsonrpc":"2.0","id":%d,"result":{"content":[]},"error":{"code":1,"message":"both at once"}}' % message_id)
    elif name == "nothing":
        say('{"jsonrpc":"2.0","id":%d,"result":null}' % message_id)
    elif name == "half":
        sys.stdout.write('{"jsonrpc":"2.0","id":%d,"resu' % message_id)
        sys.stdout.flush()
        os._exit(1)
    elif name == "twice":
        answer(message_id, "one")
        answer(message_id, "two")
    elif name == "deep":
        say('{"jsonrpc":"2.0","id":%d,"result":%s%s}' % (message_id, '{"a":' * 100000 + "1", "}" * 100000))
    else:
        answer(message_id, name)


def strange_tools():
    """Tools that only some modes list."""
    if MODE == "names":
        names = ["", None, 5, "x" * 200, "echo", "a\x1b[31mred\x07", "ech\u043e", "echo\u202e", "../../etc/passwd"]
        return [{"name": name, "inputSchema": {}, "title": "\x1b[31mT\n# T", "description": "\x1b[2J\U000e0041 seen"}
                for name in names]
    if MODE == "nameless":
        return [{"inputSchema": {}}] * 5000
    if MODE == "hidden":
        return [{"name": "hidden", "inputSchema": {"properties": {"p": {"description": "seen\U000e0041\u200b"}}}}]
    if MODE == "huge":
        return [{"name": "big", "inputSchema": {"properties": {"p": {"description": "y" * 8000000}}}}]
    if MODE == "loops":
        refs = {"a": "#/$defs/a", "n": "#/$defs/n", "x": "#/$defs/x0", "self": "#"}
        elsewhere = {"properties": {"file": {"$ref": "file:///etc/passwd"}, "http": {"$ref": "http://127.0.0.1:1/x"}}}
        return [{"name": "elsewhere", "inputSchema": elsewhere}, {"name": "loops", "inputSchema": {"$defs": LOOPS, "properties": {
            **{name: {"$ref": ref} for name, ref in refs.items()}, "slow": {"type": "string", "pattern": "^(a+)+$"}}}}]
    return []


def list_tools(message_id):
    with open(os.environ.get("MCP_LISTS", os.devnull), "a", encoding="ascii") as file:
        file.write("list\n")
    if MODE == "failing":
        say(json.dumps({"jsonrpc": "2.0", "id": message_id, "error": {"code": -32000, "message": "database locked"}}))
        return
    if MODE == "storm":
        for _ in range(1000):
            say('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')
    result = {"tools": [{"name": name, "description": name, "inputSchema": {"type": "object"},
                         "annotations": {"readOnlyHint": True}} for name in TOOLS] + strange_tools()}
    if MODE == "round":
        result["nextCursor"] = "the same"
    say(json.dumps({"jsonrpc": "2.0", "id": message_id, "result": result}))
    for i in range(1000 if MODE == "curious" else 0):
        say(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create",
                        "params": {"message": f"question {i}", "requestedSchema": {"type": "object"}}}))


def main():
    for line in sys.stdin:
        message = json.loads(line)
        method = message.get("method")
        if "id" not in message:
            continue
        if method == "initialize":
            result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                      "serverInfo": {"name": "hostile", "version": str(os.getpid())}}
            if MODE == "mute":
                result = None
        elif method == "tools/list":
            list_tools(message["id"])
            continue
        elif method == "tools/call":
            call(message["id"], message["params"]["name"])
            continue
        else:
            say(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}}))
            continue
        say(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}))


main()
