"""A model that awl does not know: its host is asked, beside the first request."""

import http.server
import json
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
        self.answer("application/json", json.dumps({"data": [{"id": "mine", "max_model_len": 9000}]}))
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
        self.host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host)
        self.host.daemon_threads = True
        self.host.requests, self.host.holds_listing = requests, holds_listing
        self.host.asked, self.host.bodies = [], []
        self.host.listed, self.host.answered = threading.Event(), threading.Event()
        threading.Thread(target=self.host.serve_forever, daemon=True).start()
        self.addCleanup(self.host.server_close)
        self.addCleanup(self.host.shutdown)
        self.addCleanup(self.host.answered.set)
        ran = self.awl("-p", "go", env={
            "OPENAI_BASE_URL": f"http://127.0.0.1:{self.host.server_address[1]}/v1",
            "OPENAI_API_KEY": "k", "OPENAI_MODEL": "mine", **env})
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"Done.\n", b""))
        return [body["max_tokens"] for body in self.host.bodies]

    def test_what_the_host_says_counts_for_the_requests_that_follow(self):
        limits = self.run_session(4, False)
        self.assertEqual(self.host.asked[0], ("/v1/models", "Bearer k"))
        self.assertGreater(limits[0], 9000)
        self.assertEqual(limits[-1], 4501)

    def test_a_listing_that_never_comes_delays_nothing(self):
        limits = self.run_session(2, True)
        self.assertEqual(limits[0], limits[1])

    def test_it_can_be_switched_off(self):
        self.run_session(1, True, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1")
        self.assertEqual(self.host.asked, [])


if __name__ == "__main__":
    unittest.main()
