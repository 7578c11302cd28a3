"""A model that awl does not know: its host is asked, beside the first request."""

import http.server
import json
import os
import threading
import unittest

from rig import PATIENCE, Sandbox


def call(n):
    """A call unlike all others."""
    return {"tool_calls": [{"index": 0, "id": f"t{n}", "type": "function", "function": {
        "name": "Glob", "arguments": json.dumps({"pattern": f"{n}*"})}}]}


class Host(http.server.BaseHTTPRequestHandler):
    """A local server of one model with a window of 9000 tokens, in the OpenAI form."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, kind, text):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        self.server.asked.append((self.path, self.headers.get("authorization")))
        if self.server.holds_listing:
            self.server.answered.wait(PATIENCE)
            self.close_connection = True
            return
        self.answer("application/json", json.dumps({"data": self.server.models}))
        self.server.listed.set()

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.bodies.append(body)
        if not self.server.holds_listing:
            self.server.listed.wait(PATIENCE)
        last = len(self.server.bodies) >= self.server.requests
        delta = {"content": "Done."} if last else call(len(self.server.bodies))
        chunk = {"id": "c", "model": "mine", "choices": [
            {"index": 0, "delta": delta, "finish_reason": "stop" if last else "tool_calls"}]}
        self.answer("text/event-stream", f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n")


class Listing(Sandbox):
    def run_session(self, requests, holds_listing, **env):
        self.start_host(requests, holds_listing)
        ran = self.ask(OPENAI_MODEL="mine", **env)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"Done.\n", b""))
        return [body["max_tokens"] for body in self.host.bodies]

    def ask(self, *args, **env):
        return self.awl("-p", "go", *args, env={
            "OPENAI_BASE_URL": f"http://127.0.0.1:{self.host.server_address[1]}/v1",
            "OPENAI_API_KEY": "k", **env})

    def start_host(self, requests=1, holds_listing=False, models=None):
        self.host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host)
        self.host.daemon_threads = True
        self.host.requests, self.host.holds_listing = requests, holds_listing
        self.host.asked, self.host.bodies = [], []
        self.host.models = models if models is not None else [{"id": "mine", "max_model_len": 9000}]
        self.host.listed, self.host.answered = threading.Event(), threading.Event()
        threading.Thread(target=self.host.serve_forever, daemon=True).start()
        self.addCleanup(self.host.server_close)
        self.addCleanup(self.host.shutdown)
        self.addCleanup(self.host.answered.set)

    def test_what_the_host_says_counts_for_the_requests_that_follow(self):
        limits = self.run_session(4, False)
        self.assertEqual(self.host.asked[0], ("/v1/models", "Bearer k"))
        self.assertGreater(limits[0], 9000)
        self.assertEqual(limits[-1], 4501)

    def test_a_listing_that_never_comes_delays_nothing(self):
        limits = self.run_session(2, True)
        self.assertEqual(limits[0], limits[1])

    def test_the_only_model_of_a_server_is_used_with_its_window_and_no_price(self):
        self.start_host(models=[{"id": "mine", "max_model_len": 9000}, {"id": "nomic-embed-text"}])
        os.makedirs(os.path.join(self.home, ".claude"))
        with open(os.path.join(self.home, ".claude/settings.json"), "w", encoding="utf-8") as file:
            json.dump({"model": "opus"}, file)  # for another provider
        ran = self.ask("--output-format", "stream-json", "--verbose")
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        init = next(event for event in events if event.get("subtype") == "init")
        self.assertEqual(init["model"], "mine")
        self.assertEqual(events[-1]["result"], "Done.")
        self.assertEqual(events[-1]["total_cost_usd"], 0)
        self.assertEqual(list(events[-1]["modelUsage"]), ["mine"])
        self.assertEqual([(body["model"], body["max_tokens"]) for body in self.host.bodies],
                         [("mine", 4501)])
        self.assertIn("mine", str(self.host.bodies[0]["messages"]))  # the environment names it

    def test_several_models_are_named_and_so_is_the_variable(self):
        self.start_host(models=[{"id": "llama3:8b"}, {"id": "qwen3:30b"}])
        ran = self.ask()
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"set OPENAI_MODEL, or use --model: llama3:8b, qwen3:30b\n", ran.stderr)
        self.assertEqual(self.host.bodies, [])
        self.assertEqual(self.ask("--model", "qwen3:30b").stdout, b"Done.\n")
        self.assertEqual(self.host.bodies[0]["model"], "qwen3:30b")

    def test_many_models_are_not_all_named(self):
        self.start_host(models=[{"id": f"a-model-with-a-long-name-{n}"} for n in range(50)])
        self.assertRegex(self.ask().stderr.decode(), r"a-model-with-a-long-name-0, .* and \d+ more\n$")

    def test_a_server_without_models_says_what_to_set(self):
        self.start_host(models=[])
        self.assertIn(b"lists none: set OPENAI_MODEL", self.ask().stderr)

    def test_the_doctor_does_not_name_a_claude(self):
        self.start_host()
        ran = self.awl("doctor", env={
            "OPENAI_BASE_URL": f"http://127.0.0.1:{self.host.server_address[1]}/v1"})
        self.assertIn(b"model in use: the only one that the server lists", ran.stdout)
        self.assertNotIn(b"claude-opus", ran.stdout)

    def test_it_can_be_switched_off(self):
        self.run_session(1, True, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1")
        self.assertEqual(self.host.asked, [])


if __name__ == "__main__":
    unittest.main()
