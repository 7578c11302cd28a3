"""The debug log: the cause of a wrong behaviour can be found from it alone."""

import json
import os
import re

from rig import Modelled

LINE = re.compile(r"^\d{4}-\d\d-\d\dT[\d:.]+Z (error|warn|info|debug) (\w+) ([0-9a-f]{8}|-) (.*)$")


class Debug(Modelled):
    def log(self, *flags, settings=None, script=None):
        """Runs one prompt; returns the lines of its log as (folder, session, text)."""
        folder = os.path.join(self.home, ".claude")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
            json.dump(settings or {}, file)
        url = self.serve(script or "reply forever\n  text Hello\n")
        path = os.path.join(self.root, f"log-{len(os.listdir(self.root))}")
        ran = self.awl("-p", "go", "--debug-file", path, *flags,
                       env={"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": self.SECRET})
        self.assertEqual(ran.returncode, 0, ran.stderr)
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
        self.found(lines, "core", r"^verdict: deny Bash: .*Bash\(printenv:\*\).*settings\.json:1")
        self.assertTrue([text for folder, _, text in lines if folder == "core" and
                         re.match(r"setting permissions\.deny: .*settings\.json:1", text)])  # before it has an id
        self.found(lines, "model", r"^request: \S+ from ")
        self.found(lines, "model", r"^response: status 200$")
        self.found(lines, "core", r"^event: result")

    def test_a_command_that_runs_is_seen_from_start_to_exit(self):
        lines = self.log("--allowedTools", "Bash(printenv:*)",
                         script='reply\n  tool Bash {"command":"printenv HOME"}\nreply forever\n  text Done\n')
        self.found(lines, "core", r"^verdict: allow Bash: ")
        self.found(lines, "sys", r"^child start: .*printenv HOME")
        self.found(lines, "sys", r"^child \d+ .*: over, exit code 0")
        self.found(lines, "sys", r"^op \d+ child: begin$")
        self.found(lines, "sys", r"^op \d+ child: end: ok$")

    def test_a_filter_shows_the_parts_it_names_and_no_other(self):
        folders = {folder for folder, _, _ in self.log("--debug=core")}
        self.assertEqual(folders, {"core"})
        folders = {folder for folder, _, _ in self.log("--debug=!sys,!core")}
        self.assertIn("model", folders)
        self.assertFalse(folders & {"sys", "core"})
