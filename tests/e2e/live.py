"""A session that is kept open while its settings change."""

import json
import os
import subprocess
import threading

from rig import PATIENCE, Modelled

STREAM = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")


class Live(Modelled):
    """A session over standard input whose settings change while it runs."""

    def settings(self, **values):
        path = os.path.join(self.home, ".claude/settings.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(values, file)
        os.replace(path + ".new", path)

    def open(self, *commands, **values):
        self.settings(**values)
        self.serve("".join(f"reply\n  tool Bash {json.dumps(c)}\nreply\n  text Done\n"
                           for c in commands))
        self.session = self.start(*STREAM, stdin=subprocess.PIPE)
        watchdog = threading.Timer(PATIENCE, self.session.kill)
        watchdog.start()
        self.addCleanup(watchdog.cancel)

    def hear(self, wanted):
        """Reads on until an event that is wanted."""
        for line in self.session.stdout:
            event = json.loads(line)
            if wanted(event):
                return event
        self.fail("the session has ended")

    def ask(self):
        """A turn; returns what its one command said, and whether it failed."""
        self.session.stdin.write(b'{"type":"user","message":{"role":"user","content":"go"}}\n')
        self.session.stdin.flush()
        result = self.hear(lambda e: e["type"] == "user")["message"]["content"][0]
        self.hear(lambda e: e["type"] == "result")
        return bool(result.get("is_error")), str(result["content"])

    def change(self, **values):
        """Other settings; returns what the session says to them."""
        self.settings(**values)
        return self.hear(lambda e: "Settings changed" in json.dumps(e))

    def finish(self):
        self.session.stdin.close()
        self.assertEqual(self.session.wait(PATIENCE), 0)
