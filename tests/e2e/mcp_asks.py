"""An MCP server over stdio that wants something of its client: forms, pages, samples, log levels; it reports progress,
has templates and completions, watches resources and is a channel. It speaks 2025-11-25, or with MCP_ERA=new 2026-07-28,
where it asks by input-required results. Each tool `t` takes {"ask": params} and returns the answer as JSON. What it
received is appended to the file that MCP_LOG names, one message a line."""

import json
import os
import sys

NEW = os.environ.get("MCP_ERA") == "new"
FORM = {"type": "object", "required": ["name", "size"], "properties": {
    "name": {"type": "string", "title": "Name", "description": "As on the badge.", "minLength": 2, "maxLength": 9},
    "mail": {"type": "string", "title": "E-mail", "format": "email"},
    "size": {"type": "integer", "title": "Size", "minimum": 1, "maximum": 9},
    "news": {"type": "boolean", "title": "News", "default": True},
    "colour": {"type": "string", "title": "Colour", "oneOf": [
        {"const": "#f00", "title": "Red"}, {"const": "#00f", "title": "Blue"}], "default": "#00f"},
    "days": {"type": "array", "title": "Days", "maxItems": 2,
             "items": {"type": "string", "enum": ["Monday", "Tuesday", "Friday"]}}}}
ASKS = {
    "form": ("elicitation/create", {"mode": "form", "message": "Who are you?", "requestedSchema": FORM}),
    "page": ("elicitation/create", {"mode": "url", "message": "Please sign in.", "elicitationId": "e-7",
                                    "url": "https://login.example.com/start?next=%2Fhome"}),
    "sample": ("sampling/createMessage", {
        "messages": [{"role": "user", "content": {"type": "text", "text": "Sum up: one two three."}}],
        "systemPrompt": "You are terse.", "maxTokens": 200}),
}


class Server:
    def __init__(self):
        self.log = open(os.environ["MCP_LOG"], "a", encoding="utf-8") if "MCP_LOG" in os.environ else None
        self.note = "All is well."
        self.signed = []
        self.after = None

    def send(self, message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()

    def next(self):
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        if self.log:
            self.log.write(line)
            self.log.flush()
        return json.loads(line)

    def ask(self, method, params):
        """Asks the client, and handles what comes in between."""
        self.send({"id": "ask", "method": method, "params": params})
        while True:
            message = self.next()
            if message.get("id") == "ask" and "method" not in message:
                return message.get("result", message.get("error"))
            self.take(message)

    def sign_in(self, fifo):
        if fifo:
            open(fifo, encoding="utf-8").close()  # until the test opens it too
        for page in self.signed:
            self.send({"method": "notifications/elicitation/complete",
                       "params": {"elicitationId": {**ASKS["page"][1], **page}["elicitationId"]}})

    def push(self, message, fifo=None):
        if fifo:
            open(fifo, encoding="utf-8").close()  # until the test opens it too
        self.send({"method": "notifications/claude/channel", "params": message})

    def call(self, params):
        name, arguments = params["name"], params.get("arguments", {})
        token = params.get("_meta", {}).get("progressToken")
        text = "done"
        if name in ASKS:
            method, asked = ASKS[name]
            asked = {**asked, **arguments}
            answers = params.get("inputResponses")
            if NEW and answers is None:
                return {"resultType": "input_required", "requestState": "s",
                        "inputRequests": {"it": {"method": method, "params": asked}}}
            text = json.dumps(answers["it"] if NEW else self.ask(method, asked))
        elif name == "signed":
            if not self.signed:
                self.signed = arguments.get("pages", [{}])
                self.after = lambda: self.sign_in(arguments.get("fifo"))
                return {"error": {"code": -32042, "message": "Sign in first.", "data": {"elicitations": [
                    {**ASKS["page"][1], **page} for page in self.signed]}}}
            text = "signed in"
        elif name == "work":
            for i in (1, 2):
                self.send({"method": "notifications/progress", "params": {
                    "progressToken": token, "progress": i, "total": 2, "message": f"step {i}"}})
            if "fifo" in arguments:
                open(arguments["fifo"], encoding="utf-8").close()  # until the test opens it too
        elif name == "talk":
            for level in ("debug", "warning"):
                self.send({"method": "notifications/message", "params": {
                    "level": level, "logger": "db", "data": {"said": level}}})
        elif name == "touch":
            self.note = "All is new."
            self.send({"method": "notifications/resources/updated", "params": {"uri": "note://today"}})
        elif name == "reply":
            self.push(arguments)
        elif name == "later":
            self.after = lambda: self.push(arguments, arguments["fifo"])
        elif name == "check":
            text = json.dumps({"decision": "block", "reason": f"not {arguments.get('command')}"})
        return {"content": [{"type": "text", "text": text}]}

    def capabilities(self):
        more = {"experimental": {"claude/channel": {}, "claude/channel/permission": {}}} if "MCP_CHANNEL" in os.environ else {}
        return {"tools": {}, "prompts": {}, "resources": {"subscribe": True}, "logging": {}, "completions": {}, **more}

    def read(self, uri):
        contents = {"note://today": {"mimeType": "text/plain", "text": self.note},
                    "note://week/12": {"mimeType": "text/plain", "text": "Week twelve."},
                    "note://bytes": {"mimeType": "application/octet-stream", "blob": "AAECAw=="}}
        return uri in contents and {"contents": [{"uri": uri, **contents[uri]}]}

    def result(self, method, params):
        about = {"capabilities": self.capabilities(), "serverInfo": {"name": "asks", "version": "1"}}
        if method == "server/discover" and NEW:
            return {"resultType": "complete", "supportedVersions": ["2026-07-28"], **about}
        if method == "initialize" and not NEW:
            return {"protocolVersion": params["protocolVersion"], **about}
        if method == "tools/list":
            names = [*ASKS, "work", "signed", "talk", "touch", "reply", "later", "check"]
            return {"tools": [{"name": name, "description": name, "inputSchema": {"type": "object"}} for name in names]}
        if method == "resources/list":
            return {"resources": [{"uri": "note://today", "name": "today", "description": "The note of the day."},
                                  {"uri": "note://bytes", "name": "bytes"}]}
        if method == "resources/templates/list":
            return {"resourceTemplates": [{"uriTemplate": "note://week/{week}", "name": "week"}]}
        if method == "resources/read":
            return self.read(params["uri"])
        if method == "prompts/list":
            return {"prompts": [{"name": "greet", "description": "Greet somebody.", "arguments": [
                {"name": "who", "required": True}, {"name": "how"}]}]}
        if method == "prompts/get":
            given = params.get("arguments", {})
            return {"messages": [{"role": "user", "content": {
                "type": "text", "text": f"Greet {given.get('who')} {given.get('how', 'kindly')}."}}]}
        if method == "completion/complete":
            given = params["argument"]["value"]
            if params["argument"]["name"] == "how":
                who = params["context"]["arguments"]["who"]
                return {"completion": {"values": [f"as {who} likes", f"without {who}"]}}
            words = ("12", "13", "20") if params["ref"]["type"] == "ref/resource" else ("Ada", "Alan", "Grace")
            return {"completion": {"values": [word for word in words if word.startswith(given)]}}
        if method == "tools/call":
            return self.call(params)
        return {} if method in ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe") else None

    def take(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "notifications/claude/channel/permission_request":
            self.send({"method": "notifications/claude/channel/permission", "params": {
                "request_id": params["request_id"], "behavior": os.environ.get("MCP_BEHAVIOR", "allow")}})
        if "id" not in message or not method:
            return
        result = self.result(method, params)
        if result and "error" in result:
            self.send({"id": message["id"], **result})
            after, self.after = self.after, None
            after()
        elif result:
            self.send({"id": message["id"], "result": {"resultType": "complete", **result} if NEW else result})
            after, self.after = self.after, None
            if after:
                after()
        elif result is None or result is False:
            self.send({"id": message["id"], "error": {"code": -32601, "message": f"no such method: {method}"}})
        else:
            self.send({"id": message["id"], "result": {}})

    def run(self):
        while True:
            self.take(self.next())


if __name__ == "__main__":
    Server().run()
