"""The debug log: the cause of a wrong behaviour can be found from it alone."""

import json
import os
import re

from live import STREAM, Live

LINE = re.compile(r"^\d{4}-\d\d-\d\dT[\d:.]+Z (error|warn|info|debug) (\w+) ([0-9a-f]{8}|-) (.*)$")
PROMPT = {"type": "user", "message": {"role": "user", "content": "go"}}


def line_of(message):
    return json.dumps(message) + "\n"


def request(name, **body):
    return {"type": "control_request", "request_id": name, "request": body}


class Debug(Live):
    def log(self, *flags, settings=None, script=None, stdin=None):
        """Runs one prompt, or with `stdin` a host that sends these inputs; returns the lines of its log as (folder,
        session, text)."""
        folder = os.path.join(self.home, ".claude")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
            json.dump(settings or {}, file)
        url = self.serve(script or "reply forever\n  text Hello\n")
        path = os.path.join(self.root, f"log-{len(os.listdir(self.root))}")
        how = ["-p", "go"] if stdin is None else STREAM
        ran = self.awl(*how, "--debug-file", path, *flags, stdin="".join(map(line_of, stdin or [])).encode(),
                       env={"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": self.SECRET})
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return self.read_log(path)

    def read_log(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn(self.SECRET, text)
        lines = [LINE.match(line) for line in text.splitlines()]
        self.assertTrue(all(lines), text)
        return [line.groups()[1:] for line in lines]

    def found(self, lines, folder, pattern):
        hits = [text for where, session, text in lines
                if where == folder and session != "-" and re.search(pattern, text)]
        self.assertTrue(hits, f"no line of {folder} has {pattern}")
        return hits

    def test_a_denied_call_is_explained_by_its_states_and_the_rule_with_its_file(self):
        lines = self.log(settings={"permissions": {"deny": ["Bash(printenv:*)"]}},
                         script='reply\n  tool Bash {"command":"printenv HOME"}\nreply forever\n  text Done\n')
        self.found(lines, "core", r"^session: \w+ > turn$")
        self.found(lines, "core", r"^turn: \w+ > \w+$")
        self.found(lines, "core", r"^call \S+ Bash: \S+ > deciding$")
        self.found(lines, "perm", r"^verdict: deny Bash \(rule\): .*Bash\(printenv:\*\).*settings\.json:1")
        self.found(lines, "core", r"^setting permissions\.deny: .*settings\.json:1")
        self.found(lines, "model", r"^request: \S+ from ")
        self.found(lines, "model", r"^response: status 200$")
        self.found(lines, "core", r"^event: result")

    def test_a_command_that_runs_is_seen_from_start_to_exit(self):
        lines = self.log("--allowedTools", "Bash(printenv:*)",
                         script='reply\n  tool Bash {"command":"printenv HOME"}\nreply forever\n  text Done\n')
        self.found(lines, "perm", r"^verdict: allow Bash \(rule\): ")
        self.found(lines, "tool", r"^the command runs outside: there is no sandbox$")
        start = self.found(lines, "sys", r"^child start, op \d+: bash .*printenv HOME")[0]
        number = re.search(r"op (\d+)", start).group(1)
        pid = re.search(r"\d+", self.found(lines, "sys", rf"^child \d+ bash: runs as op {number}$")[0]).group(0)
        self.found(lines, "sys", rf"^child {pid} bash: over, exit code 0")
        self.found(lines, "sys", r"^op \d+ child: begin$")
        self.found(lines, "sys", r"^op \d+ child: end: ok$")

    def test_a_filter_shows_the_parts_it_names_and_no_other(self):
        folders = {folder for folder, _, _ in self.log("--debug=core")}
        self.assertEqual(folders, {"core"})
        folders = {folder for folder, _, _ in self.log("--debug=!sys,!core")}
        self.assertIn("model", folders)
        self.assertFalse(folders & {"sys", "core"})

    def test_each_part_that_a_filter_can_name_writes_lines(self):
        with open(os.path.join(self.cwd, "CLAUDE.md"), "w", encoding="utf-8") as file:
            file.write("Be brief.\n")
        os.makedirs(os.path.join(self.home, ".claude", "agents"))
        with open(os.path.join(self.home, ".claude", "agents", "helper.md"), "w", encoding="utf-8") as file:
            file.write("---\nname: helper\ndescription: Helps\n---\nHelp.\n")
        for part in ("perm", "context", "extend", "proto", "net", "tool"):
            lines = self.log(f"--debug={part}", "--allowedTools", "Bash(printenv:*)", stdin=[PROMPT],
                             script='reply\n  tool Bash {"command":"printenv HOME"}\nreply forever\n  text Done\n')
            self.assertEqual({folder for folder, _, _ in lines}, {part})

    def test_what_a_host_sends_and_what_it_is_refused_is_in_the_log_of_its_session(self):
        lines = self.log(stdin=[request("r1", subtype="set_permission_mode", mode="nonsense"),
                                request("r2", subtype="apply_flag_settings", settings={"effortLevel": "low"}),
                                {"type": "control_response"}, PROMPT])
        self.found(lines, "proto", r"^input: control request r1: set_permission_mode$")
        self.found(lines, "core", r"^control request r1 failed: .*nonsense")
        self.found(lines, "core", r"^setting effortLevel changed: \S+")
        self.found(lines, "proto", r"^input: control_response, ignored$")
        self.found(lines, "proto", r"^input: prompt")
        self.found(lines, "core", r"^prompt: 2 bytes, queued$")
        strangers = [text for folder, session, text in lines if session == "-" and folder != "sys"]
        self.assertFalse([text for text in strangers if not text.startswith(
            ("awl ", "provider: ", "endpoint: ", "credential: "))], strangers)

    def test_a_call_that_fails_without_a_verdict_says_why(self):
        lines = self.log(script='reply\n  tool Nope {}\n  tool Read {"file":3}\n  tool Bash '
                                '{"command":"echo ghp_abcdefghijklmnopqrstuvwxyz0123456789; false"}\n'
                                'reply forever\n  text Done\n', settings={"permissions": {"allow": ["Bash"]}})
        self.found(lines, "core", r"^call \S+ Nope failed: .*Nope")
        self.found(lines, "core", r"^call \S+ Read failed: InputValidationError.*file_path")
        self.found(lines, "core", r"^call \S+ Bash failed: Exit code 1$")
        self.assertFalse([text for _, _, text in lines if "ghp_" in text])

    def test_the_log_of_a_sandboxed_command_names_engine_host_and_verdict(self):
        self.needs_sandbox()
        lines = self.log(settings={"sandbox": {"enabled": True}},
                         script='reply\n  tool Bash {"command":"curl -sS --max-time 20 http://example.com"}\n'
                                'reply forever\n  text Done\n')
        self.found(lines, "tool", r"^the command runs in the sandbox: it is enabled$")
        self.found(lines, "sandbox", r"^engine: \w+")
        self.found(lines, "sandbox", r"^proxied connection: reading > asking$")
        self.found(lines, "sandbox", r"^host example\.com port 80: deny$")
        self.found(lines, "sandbox", r"^proxied connection failed: .*not on the list")

    def test_what_the_host_answers_and_which_file_changed_a_setting_are_in_the_log(self):
        self.settings()
        self.serve('reply\n  tool Bash {"command":"touch x"}\nreply forever\n  text Done\n')
        path = os.path.join(self.root, "log")
        self.begin("--permission-prompt-tool", "stdio", "--debug-file", path)
        self.send(**PROMPT)
        asked = self.hear(lambda event: event["type"] == "control_request")
        self.send(type="control_response", response={
            "subtype": "success", "request_id": asked["request_id"], "response": {"behavior": "deny", "message": "No."}})
        self.hear(lambda event: event["type"] == "result")
        self.change(permissions={"deny": ["Bash(printenv:*)"]})
        self.finish()
        lines = self.read_log(path)
        self.found(lines, "perm", r"^verdict: ask Bash \(")
        self.found(lines, "proto", rf"^input: response {asked['request_id']}$")
        self.found(lines, "core", rf"^host request {asked['request_id']} can_use_tool: deny")
        self.found(lines, "perm", r"^verdict: deny Bash \(permissionPromptTool\): ")
        self.found(lines, "core", r"^call \S+ Bash failed: .*No\.")
        self.found(lines, "core", r"^setting permissions\.deny changed: .*settings\.json:1 \(applies at once\)$")

    def test_commands_without_a_session_log_no_secrets_either(self):
        token, path = "ghp_abcdefghijklmnopqrstuvwxyz0123456789", os.path.join(self.root, "log")
        self.awl("mcp", "add", "own", "--", "/bin/echo", token)
        self.awl("--debug-file", path, "mcp", "list")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("/bin/echo [secret]", text)
        self.assertNotIn(token, text)
