"""A session that is kept open while its settings change."""

import json
import os
import subprocess
import threading

from rig import PATIENCE, Modelled

STREAM = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")


class Live(Modelled):
    """A session over standard input whose settings change while it runs."""

    FLAGS = ()
    how = {}  # it is started

    def settings(self, **values):
        path = os.path.join(self.home, ".claude/settings.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(values, file)
        os.replace(path + ".new", path)

    def open(self, *calls, **values):
        """A session under these settings whose every turn is one of the calls: (tool, input), or the input of Bash."""
        self.settings(**values)
        calls = [call if isinstance(call, tuple) else ("Bash", call) for call in calls]
        self.serve("".join(f"reply\n  tool {tool} {json.dumps(given)}\nreply\n  text Done\n"
                           for tool, given in calls))
        self.begin(*self.FLAGS, **self.how)

    def open_under(self, under, *calls, **values):
        """The same, run by a program of these words."""
        self.how = {"under": under}
        self.open(*calls, **values)

    def begin(self, *flags, **how):
        """Starts the session; `serve` has its model."""
        self.session = self.start(*STREAM, *flags, stdin=subprocess.PIPE, **how)
        watchdog = threading.Timer(PATIENCE, self.session.kill)
        watchdog.start()
        self.addCleanup(watchdog.cancel)

    def follow(self, *steps):
        """One session. Each step is a call, the settings that hold for it, whether it fails, and what its result has."""
        self.open(*[call for call, *_ in steps], **steps[0][1])
        for at, (call, values, fails, text) in enumerate(steps):
            with self.subTest(at=at, call=call, values=values):
                if at:
                    self.change(**values)
                failed, result = self.ask()
                self.assertEqual(failed, fails, result)
                self.assertIn(text, result)
        self.finish()

    def events(self, wanted):
        """Reads on until an event that is wanted; returns all up to it."""
        self.seen = []
        for line in self.session.stdout:
            self.seen.append(json.loads(line))
            if wanted(self.seen[-1]):
                return self.seen
        self.fail("the session has ended")

    def hear(self, wanted):
        """Reads on until an event that is wanted."""
        return self.events(wanted)[-1]

    def send(self, **message):
        self.session.stdin.write(json.dumps(message).encode() + b"\n")
        self.session.stdin.flush()

    def turn(self):
        """The events of a turn."""
        self.send(type="user", message={"role": "user", "content": "go"})
        return self.events(lambda e: e["type"] == "result")

    def asked(self):
        """A turn in which the host denies everything; returns what it is asked about."""
        self.send(type="user", message={"role": "user", "content": "go"})
        asked = []
        while (event := self.hear(lambda e: e["type"] in ("control_request", "result")))["type"] != "result":
            asked.append(event["request"])
            self.send(type="control_response", response={
                "subtype": "success", "request_id": event["request_id"],
                "response": {"behavior": "deny", "message": "No."}})
        return asked

    def ask(self):
        """A turn; returns what its one command said, and whether it failed."""
        result = [e for e in self.turn() if e["type"] == "user"][0]["message"]["content"][0]
        return bool(result.get("is_error")), str(result["content"])

    def change(self, **values):
        """Other settings; returns what the session says to them."""
        self.settings(**values)
        return self.hear(lambda e: "Settings changed" in json.dumps(e))

    def change_policy(self, **values):
        self.put_policy(values)
        return self.hear(lambda e: "Settings changed" in json.dumps(e))

    def finish(self):
        self.session.stdin.close()
        self.assertEqual(self.session.wait(PATIENCE), 0)
