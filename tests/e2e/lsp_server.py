"""A language server that misbehaves as its first argument says, for test_lsp.py."""

import json
import sys

HOW = sys.argv[1]


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def messages():
    while line := sys.stdin.buffer.readline():
        length = int(line.split(b":")[1])
        while line.strip():
            line = sys.stdin.buffer.readline()
        yield json.loads(sys.stdin.buffer.read(length))


def raw(text):
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


for message in messages():
    method = message.get("method")
    if HOW == "exit":
        sys.exit(3)
    if HOW == "garbage":
        raw(b"hello\r\n\r\n" * 1000)
    if HOW == "huge":
        raw(b"Content-Length: 99999999999\r\n\r\n")
    if method == "initialize":
        send({"id": message["id"], "result": {"capabilities": {}}})
    elif method == "textDocument/didOpen" and HOW == "asks":
        send({"id": "x", "method": "workspace/configuration", "params": {"items": [{"section": "a.b"}, {}]}})
        send({"id": 7, "method": "evil/run", "params": []})
    elif "result" in message and message["id"] == "x":
        send({"id": asked, "result": {"contents": {"value": json.dumps(message["result"])}}})
    elif method in ("textDocument/didOpen", "textDocument/didChange") and HOW == "checks":
        params = message["params"]
        text = params["textDocument"].get("text") or params["contentChanges"][0]["text"]
        place = lambda n: {"start": {"line": n, "character": 0}, "end": {"line": n, "character": 3}}
        found = [{"range": place(n), "message": line, "severity": 1} for n, line in enumerate(text.splitlines())]
        send({"method": "textDocument/publishDiagnostics", "params": {
            "uri": params["textDocument"]["uri"], "version": params["textDocument"]["version"],
            "diagnostics": found + [{"range": place(0), "message": "a hint", "severity": 4}]}})
    elif method in ("textDocument/didOpen", "textDocument/didChange") and HOW == "nonsense":
        send({"method": "textDocument/publishDiagnostics", "params": {
            "uri": message["params"]["textDocument"]["uri"], "diagnostics": {"a": [1]}}})
    elif method == "textDocument/hover":
        text = "x" * 200000 if HOW == "long" else "fine"
        if HOW == "asks":
            asked = message["id"]  # answered once the settings are there
        elif HOW == "nonsense":
            send({"id": message["id"], "result": {"contents": [[1], {"value": 2}, None]}})
        elif HOW == "dies":
            sys.exit(1)
        else:
            send({"id": message["id"], "result": {"contents": {"value": text}}})
    elif method == "textDocument/definition":
        deep = {"uri": "http://elsewhere/x", "range": 5}
        send({"id": message["id"], "result": [deep, 1, None, {"uri": "file:///a%00b", "range": {"start": []}}] * 500})
