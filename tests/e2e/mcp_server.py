"""A small MCP server over stdio for tests. It speaks 2025-11-25 and offers tools that misbehave in every way that a
test wants. What it received is appended to the file that MCP_LOG names, one message a line."""

import json
import os
import sys

PNG = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


def tool(name, description="", schema=None, **more):
    return {"name": name, "description": description, "inputSchema": schema or {"type": "object"}, **more}


class Server:
    """Handles one message at a time, in the order they come."""

    def __init__(self):
        self.log = open(os.environ["MCP_LOG"], "a", encoding="utf-8") if "MCP_LOG" in os.environ else None
        self.tools = [
            tool("echo", "Say it again.", TEXT, annotations={"readOnlyHint": True}),
            tool("act", self.words(), TEXT),
            tool("fail", "Never works."),
            tool("environment", "Show variables."),
            tool("ask", "Ask the user."),
            tool("picture", "Show a picture."),
            tool("permit", "Answer permission questions."),
            tool("change", "Change the tools."),
            tool("die", "End at once."),
        ]
        for i in range(int(os.environ.get("MCP_MANY", "0"))):
            self.tools.append(tool(f"number_{i}_of_a_long_list_of_tools", f"Ring bell{i}x."))

    def words(self):
        """How `act` is described: by the file that MCP_WORDS names, so that it can change between sessions."""
        path = os.environ.get("MCP_WORDS", "")
        if not os.path.exists(path):
            return "Do something."
        with open(path, encoding="utf-8") as file:
            return file.read()

    def send(self, message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()

    def call(self, name, arguments):
        if name in ("echo", "act"):
            return {"content": [{"type": "text", "text": f"{name}: {arguments['text']}"}]}
        if name == "fail":
            return {"isError": True, "content": [{"type": "text", "text": "it failed as always"}]}
        if name == "ask":
            self.send({"id": "e1", "method": "elicitation/create", "params": {
                "message": "Which colour?", "requestedSchema": {"type": "object", "properties": {
                    "colour": {"type": "string"}, "size": {"type": "integer", "default": 3}}}}})
            answer = json.loads(sys.stdin.readline())
            return {"content": [{"type": "text", "text": json.dumps(answer["result"])}]}
        if name == "die":
            os.kill(os.getpid(), 9)
        if name == "change":
            self.tools[1]["description"] = "Do something else."
            self.tools.append(tool("fresh", "Is new."))
            self.send({"method": "notifications/tools/list_changed"})
            for line in sys.stdin:
                self.take(json.loads(line))
                if "tools/list" in line:
                    return {"content": [{"type": "text", "text": "changed"}]}
        if name == "fresh":
            return {"content": [{"type": "text", "text": "fresh indeed"}]}
        if name == "permit":
            asked = arguments["input"].get("command", "")
            answer = ({"behavior": "allow", "updatedInput": arguments["input"]} if "fine" in asked
                      else {"behavior": "deny", "message": f"not {arguments['tool_name']}"})
            return {"content": [{"type": "text", "text": json.dumps(answer)}]}
        if name == "picture":
            return {"content": [{"type": "image", "mimeType": "image/png", "data": PNG},
                                {"type": "resource_link", "name": "more", "uri": "test://more"},
                                {"type": "resource", "resource": {"uri": "test://note", "text": "a note"}}]}
        if name == "environment":
            names = ("CLAUDECODE", "CLAUDE_PROJECT_DIR", "GIVEN", "ANTHROPIC_API_KEY")
            return {"structuredContent": {n: os.environ.get(n) for n in names} | {"cwd": os.getcwd()}, "content": []}
        return None

    def initialize(self, params):
        return {"protocolVersion": os.environ.get("MCP_VERSION", params["protocolVersion"]),
                "capabilities": {"tools": {"listChanged": True}, "resources": {}, "prompts": {}},
                "serverInfo": {"name": "test", "version": "1"}, "instructions": "Say please."}

    def take(self, message):
        method, params = message.get("method"), message.get("params", {})
        if "id" not in message or not method:
            return
        if method == "initialize":
            result = self.initialize(params)
        elif method == "tools/list":
            result = {"tools": self.tools}
        elif method == "resources/list":
            result = {"resources": [{"uri": "test://note", "name": "note", "mimeType": "text/plain"},
                                    {"uri": "test://bytes", "name": "bytes"}]}
        elif method == "resources/read":
            contents = {"test://note": {"text": "All is well."}, "test://bytes": {"blob": "AAECAw=="}}
            found = contents.get(params["uri"])
            result = found and {"contents": [{"uri": params["uri"], **found}]}
        elif method == "prompts/list":
            result = {"prompts": [{"name": "greet", "description": "Greet somebody.",
                                   "arguments": [{"name": "who", "required": True}, {"name": "how"}]},
                                  {"name": "look", "description": "Look at a picture."},
                                  {"description": "Nameless."}, {"name": ""}, {"name": 7}]}
        elif method == "prompts/get" and params["name"] == "look":
            result = {"messages": [{"role": "user", "content": content} for content in (
                {"type": "text", "text": "Look at this."},
                {"type": "image", "mimeType": "image/png", "data": PNG},
                {"type": "resource", "resource": {"uri": "test://note", "text": "All is well."}},
                {"type": "resource_link", "name": "more", "uri": "test://more"})]}
        elif method == "prompts/get":
            given = params.get("arguments", {})
            result = {"messages": [{"role": "user", "content": {
                "type": "text", "text": f"Greet {given.get('who')} {given.get('how', 'kindly')}."}}]}
        elif method == "ping":
            result = {}
        elif method == "tools/call":
            result = self.call(params["name"], params.get("arguments", {}))
        else:
            result = None
        if result is None:
            self.send({"id": message["id"], "error": {"code": -32601, "message": f"no such method: {method}"}})
        else:
            self.send({"id": message["id"], "result": result})

    def run(self):
        sys.stderr.write("test server at work\n")
        for line in sys.stdin:
            if self.log:
                self.log.write(line)
                self.log.flush()
            self.take(json.loads(line))


if __name__ == "__main__":
    Server().run()
