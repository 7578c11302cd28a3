#!/usr/bin/env python3
"""The client that the MCP conformance suite drives: awl, as its user would use it.

The suite starts this program with the address of a server as its last argument, and with the name of the scenario in
the environment. The server is added, a browser stands by for logins, and a scripted model calls the tools.
"""

import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
AWL = os.environ["AWL_PROGRAM"]
PATIENCE = 100

# The tools that a scenario expects to be called.
TOOLS = {
    "tools_call": [("add_numbers", {"a": 5, "b": 3})],
    "elicitation-sep1034-client-defaults": [("test_client_elicitation_defaults", {})],
    "sse-retry": [("test_reconnection", {})],
    "http-standard-headers": [("test_headers", {}), ("my-hyphenated-tool", {})],
    "http-invalid-tool-headers": [("valid_tool", {"region": "eu"})] + [
        (f"invalid_{kind}", {"value": "v", "data": {}, "items": [], "nil": None, "score": 1, "field1": "a", "field2": "b"})
        for kind in ("empty_header", "object_header", "array_header", "null_header", "number_header",
                     "duplicate_same_case", "duplicate_diff_case", "space_in_name", "colon_in_name", "non_ascii_name")],
    "sep-2322-client-request-state": [(f"test_mrtr_{kind}", {}) for kind in (
        "echo_state", "no_state", "unrelated", "no_result_type")],
}
# What answers the forms that servers show.
HOOK = json.dumps({"hookSpecificOutput": {"hookEventName": "Elicitation", "action": "accept", "content": {}}})


class Client:
    def __init__(self, url):
        self.url = url
        self.scenario = os.environ["MCP_CONFORMANCE_SCENARIO"]
        self.context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
        self.root = tempfile.mkdtemp(prefix="awl-conformance-")
        self.work = os.path.join(self.root, "work")
        os.makedirs(os.path.join(self.root, ".claude"))
        os.mkdir(self.work)
        self.env = {"HOME": self.root, "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm",
                    "BROWSER": os.path.join(HERE, "browser.py"), "ANTHROPIC_API_KEY": "sk-ant-test",
                    "ENABLE_TOOL_SEARCH": "false",
                    "MCP_OAUTH_CLIENT_METADATA_URL": "https://conformance-test.local/client-metadata.json"}
        settings = {"hooks": {"Elicitation": [{"hooks": [{"type": "command", "command": f"echo '{HOOK}'"}]}]}}
        if "idp_issuer" in self.context:
            settings["xaaIdp"] = {"issuer": self.context["idp_issuer"], "clientId": self.context["idp_client_id"]}
            self.put(".claude/.credentials.json",
                     {"mcpXaaIdp": {self.context["idp_issuer"]: {"idToken": self.context["idp_id_token"]}}})
        self.put(".claude/settings.json", settings)

    def put(self, name, value):
        with open(os.path.join(self.root, name), "w", encoding="utf-8") as file:
            json.dump(value, file)

    def awl(self, *args, **env):
        return subprocess.run([AWL, *args], cwd=self.work, env={**self.env, **env}, capture_output=True, text=True,
                              timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL)

    def add(self):
        more, env = [], {}
        if "client_id" in self.context:
            more = ["--client-id", self.context["client_id"]]
        if "idp_issuer" in self.context:
            more.append("--xaa")
        if "client_secret" in self.context:
            more.append("--client-secret")
            env["MCP_CLIENT_SECRET"] = self.context["client_secret"]
        ran = self.awl("mcp", "add", "-s", "user", "-t", "http", *more, "conf", self.url, **env)
        if ran.returncode:
            sys.exit(f"mcp add: {ran.stderr}")

    def login(self):
        """Logs in on a terminal, while the browser follows every link. Returns whether that worked."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.work)
            os.execve(AWL, [AWL, "mcp", "login", "conf"], self.env)
        said, deadline = b"", time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    data = os.read(terminal, 65536)
                except OSError:
                    break
                if not data:
                    break
                said += data
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.close(terminal)
        print(f"login: {status}\n{said.decode(errors='replace')}", file=sys.stderr)
        return status == 0

    def calls(self):
        """The tools to call, and their arguments."""
        if "toolCalls" in self.context:
            return [(call["name"], call["arguments"]) for call in self.context["toolCalls"]]
        if self.scenario.startswith("auth/"):
            return [("test-tool", {})]
        return TOOLS.get(self.scenario, [])

    def prompt(self):
        """Lets the model call all tools, and returns the events of the session."""
        calls = self.calls()
        script = "".join(f"reply\n  tool mcp__conf__{name} {json.dumps(arguments)}\n" for name, arguments in calls)
        path = os.path.join(self.root, "model.script")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script + 'reply forever\n  text "Done."\n')
        server = subprocess.Popen([AWL, "model-server", path], stdout=subprocess.PIPE, text=True, env=self.env)
        try:
            model = server.stdout.readline().split()[-1]
            ran = self.awl("-p", "go", "--allowedTools", "mcp__conf", "--output-format", "stream-json", "--verbose",
                           ANTHROPIC_BASE_URL=model)
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
        print(ran.stdout, ran.stderr, file=sys.stderr)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def run(self):
        self.add()
        events = []
        # A server may want more scopes, or another authorization, when it is used.
        for _ in range(3):
            events = self.prompt()
            if not self.scenario.startswith("auth/") or "mcp login" not in json.dumps(events):
                break
            if not self.login():
                return 1
        status = events[0]["mcp_servers"][0]["status"]
        return 0 if status == "connected" else 1


def main():
    client = Client(sys.argv[-1])
    try:
        return client.run()
    finally:
        shutil.rmtree(client.root, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
