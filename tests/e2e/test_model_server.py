"""`awl model-server` over real sockets: what a client meets, to the byte."""

import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import unittest

from rig import AWL, PATIENCE, Sandbox

HI = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}]}


class Server(Sandbox):
    """A test with scripted models, each of which ends with the test."""

    def serve(self, script, *args):
        """Starts a server; returns its port."""
        path = os.path.join(self.cwd, "model.script")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script)
        self.process = subprocess.Popen(
            [AWL, "model-server", *args, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=self.cwd, env=self.environment())
        self.addCleanup(self.kill, self.process)
        line = self.process.stdout.readline().decode()
        self.assertRegex(line, r"\Alistening on http://127\.0\.0\.1:\d+\n\Z")
        return int(line.rsplit(":", 1)[1])

    def kill(self, process):
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def stop(self, how=signal.SIGTERM):
        """Ends the server; returns its exit status and what it complained about."""
        self.process.send_signal(how)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors.decode()

    def connect(self, port):
        sock = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.addCleanup(sock.close)
        return sock

    def ask(self, port, body=None, path="/v1/messages", connection=None):
        """Posts `body` and returns the response, read, with its bytes in `.body`."""
        conn = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        conn.request("POST", path, json.dumps(body or HI), {"content-type": "application/json"})
        response = conn.getresponse()
        response.body = response.read()
        if not connection:
            conn.close()
        return response


def events(body):
    """The data of each server-sent event, decoded."""
    found = []
    for block in body.decode().split("\n\n"):
        data = [line[6:] for line in block.split("\n") if line.startswith("data: ")]
        if data and data != ["[DONE]"]:
            found.append(json.loads("\n".join(data)))
    return found


def chunks(sock):
    """The head of a chunked response, then each chunk, as they are framed."""
    file = sock.makefile("rb")
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += file.readline()
    yield head
    while size := int(file.readline(), 16):
        yield file.read(size)
        assert file.read(2) == b"\r\n"


def post(body=None):
    """A whole request as bytes."""
    data = json.dumps(body or HI).encode()
    return (b"POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(data)) + data


class Wires(Server):
    SCRIPT = """
reply forever
  thinking "Hm."
  text "Hello there."
  tool Read {"file_path": "README.md"}
  usage input=7 output=9
"""

    def test_the_anthropic_wire_streams_and_answers_whole(self):
        port = self.serve(self.SCRIPT)
        streamed = self.ask(port)
        self.assertEqual(streamed.status, 200)
        self.assertEqual(streamed.headers["content-type"], "text/event-stream")
        kinds = [event["type"] for event in events(streamed.body)]
        self.assertEqual((kinds[0], kinds[-1]), ("message_start", "message_stop"))
        whole = json.loads(self.ask(port, {**HI, "stream": False}).body)
        self.assertEqual([block["type"] for block in whole["content"]],
                         ["thinking", "text", "tool_use"])
        self.assertEqual(whole["content"][2]["input"], {"file_path": "README.md"})
        self.assertEqual((whole["usage"]["input_tokens"], whole["stop_reason"]), (7, "tool_use"))

    def test_the_chat_wire_streams_and_answers_whole(self):
        port = self.serve(self.SCRIPT)
        streamed = self.ask(port, path="/v1/chat/completions")
        self.assertTrue(streamed.body.endswith(b"data: [DONE]\n\n"))
        text = "".join(event["choices"][0]["delta"].get("content", "")
                       for event in events(streamed.body))
        self.assertEqual(text, "Hello there.")
        whole = json.loads(self.ask(port, {**HI, "stream": False}, "/v1/chat/completions").body)
        self.assertEqual(whole["choices"][0]["message"]["content"], "Hello there.")
        self.assertEqual(whole["choices"][0]["finish_reason"], "tool_calls")

    def test_the_responses_wire_streams_and_answers_whole(self):
        port = self.serve(self.SCRIPT)
        body = {"model": "m", "input": "hi", "stream": True}
        streamed = events(self.ask(port, body, "/v1/responses").body)
        self.assertEqual(streamed[-1]["type"], "response.completed")
        whole = json.loads(self.ask(port, {**body, "stream": False}, "/v1/responses").body)
        self.assertEqual([item["type"] for item in whole["output"]],
                         ["reasoning", "message", "function_call"])
        self.assertEqual(streamed[-1]["response"]["output"][1], {
            **whole["output"][1], "id": "msg_script_0001_2"})

    def test_tokens_are_counted_and_models_listed_without_using_a_reply(self):
        port = self.serve("model claude-a\nreply\n  text x\n")
        count = self.ask(port, path="/v1/messages/count_tokens")
        self.assertGreater(json.loads(count.body)["input_tokens"], 0)
        conn = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        conn.request("GET", "/v1/models")
        self.assertEqual(json.load(conn.getresponse())["data"][0]["id"], "claude-a")
        conn.close()
        self.assertEqual(self.ask(port).status, 200)


class Faults(Server):
    def test_a_body_split_at_any_byte_comes_in_those_pieces(self):
        script = "".join(f"reply\n  raw abcdefghij\n  split {at}\n" for at in range(1, 10))
        port = self.serve(script)
        for at in range(1, 10):
            sock = self.connect(port)
            sock.sendall(post())
            pieces = list(chunks(sock))[1:]
            self.assertEqual(pieces, [b"abcdefghij"[:at], b"abcdefghij"[at:]])

    def test_every_byte_of_a_stream_can_travel_alone(self):
        port = self.serve("reply\n  text Hello\n  split every 1\nreply\n  text Hello\n")
        sock = self.connect(port)
        sock.sendall(post())
        pieces = list(chunks(sock))[1:]
        self.assertEqual({len(piece) for piece in pieces}, {1})
        whole = self.ask(port).body.replace(b"_0002", b"_0001")
        self.assertEqual(b"".join(pieces), whole)

    def count_before_reset(self, port):
        """How many bytes of the body a client gets before the connection is reset."""
        sock = self.connect(port)
        sock.sendall(post())
        data = b""
        with self.assertRaises(ConnectionResetError):
            while piece := sock.recv(65536):
                data += piece
            self.fail("closed without a reset")
        head, _, body = data.partition(b"\r\n\r\n")
        self.assertTrue(not head or b"200 OK" in head)
        return body.count(b"x")

    def test_a_reset_comes_after_exactly_the_bytes_asked_for(self):
        counts, tries = [0, 1, 9, 100], 10
        port = self.serve("".join(f"reply repeat {tries}\n  raw x times 100\n  reset after {n}\n" for n in counts))
        for count in counts:
            # A reset may discard what the client has not read yet; it never comes too late.
            seen = [self.count_before_reset(port) for _ in range(tries)]
            self.assertEqual(max(seen), count)

    def test_a_reset_before_the_head_leaves_nothing(self):
        port = self.serve("reply\n  reset\n")
        sock = self.connect(port)
        sock.sendall(post())
        with self.assertRaises(ConnectionResetError):
            self.assertEqual(sock.recv(65536), None)

    def test_a_cut_stream_ends_without_its_last_chunk(self):
        port = self.serve("reply\n  raw abcdef\n  cut after 3\n")
        with self.assertRaises(http.client.IncompleteRead) as caught:
            self.ask(port)
        self.assertEqual(caught.exception.partial, b"abc")

    def test_a_whole_answer_can_be_cut_too(self):
        port = self.serve("reply\n  text x\n  cut after 3\n")
        with self.assertRaises(http.client.IncompleteRead) as caught:
            self.ask(port, {**HI, "stream": False})
        self.assertEqual(caught.exception.partial, b'{"i')

    def test_a_stall_is_silent_until_the_client_leaves_and_disturbs_nobody(self):
        port = self.serve("reply\n  raw ab\n  stall forever\n  raw cd\nreply\n  raw ef\n")
        sock = self.connect(port)
        sock.sendall(post())
        data = b""
        while not data.endswith(b"2\r\nab\r\n"):
            data += sock.recv(65536)
        self.assertEqual(self.ask(port).body, b"ef")
        sock.setblocking(False)
        with self.assertRaises(BlockingIOError):
            sock.recv(1)
        sock.close()
        self.assertEqual(self.stop(), (0, ""))

    def test_garbage_can_stand_in_the_place_of_http(self):
        port = self.serve('reply\n  garbage "SSH-2.0-OpenSSH\\r\\n"\n')
        with self.assertRaises(http.client.BadStatusLine):
            self.ask(port)

    def test_failures_have_their_status_headers_and_words(self):
        port = self.serve('fail 529 overloaded_error "Busy"\n'
                          "fail 429 rate_limit_error retry-after=2 repeat 2\n"
                          'reply\n  status 502\n  header content-type: text/html\n  raw "<html>"\n')
        busy = self.ask(port)
        self.assertEqual((busy.status, json.loads(busy.body)["error"]),
                         (529, {"type": "overloaded_error", "message": "Busy"}))
        slow = self.ask(port)
        self.assertEqual((slow.status, slow.headers["retry-after"]), (429, "2"))
        slow = self.ask(port, path="/v1/chat/completions")
        self.assertEqual(json.loads(slow.body)["error"]["type"], "rate_limit_error")
        odd = self.ask(port)
        self.assertEqual((odd.status, odd.headers["content-type"], odd.body),
                         (502, "text/html", b"<html>"))

    def test_an_error_can_come_in_the_middle_of_a_stream(self):
        port = self.serve('reply\n  text x\n  error overloaded_error "Busy"\n')
        self.assertEqual(events(self.ask(port).body)[-1]["error"]["type"], "overloaded_error")

    def test_a_long_answer_arrives_whole(self):
        port = self.serve(f'reply\n  text "{"word " * 2000}" times 2000\n')
        body = self.ask(port).body
        self.assertEqual(body.count(b"word"), 2000 * 2000)


class Requests(Server):
    def test_garbage_is_refused_and_the_server_goes_on(self):
        port = self.serve("reply\n  raw ok\n")
        for garbage in (b"\x16\x03\x01\x02\x00\x01", b"hello\r\n\r\n", b"GET / HTTP/1.1\n\n",
                        b"POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: y\r\n\r\n"):
            sock = self.connect(port)
            sock.sendall(garbage)
            answer = b""
            while piece := sock.recv(65536):
                answer += piece
            self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), answer)
        self.assertEqual(self.ask(port, path="/elsewhere").status, 404)
        conn = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        conn.request("POST", "/v1/messages", b"{")
        self.assertEqual(conn.getresponse().status, 400)
        conn.close()
        self.assertEqual(self.ask(port).body, b"ok")

    def test_a_request_may_come_in_any_pieces(self):
        port = self.serve("reply forever\n  raw ok\n")
        request = post()
        for at in range(1, len(request)):
            sock = self.connect(port)
            sock.sendall(request[:at])
            sock.sendall(request[at:])
            self.assertEqual(b"".join(list(chunks(sock))[1:]), b"ok")
            sock.close()

    def test_a_connection_is_used_again(self):
        port = self.serve("reply forever\n  raw ok\n")
        conn = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        conn.connect()
        before = conn.sock.getsockname()
        for _ in range(20):
            self.assertEqual(self.ask(port, connection=conn).body, b"ok")
            self.assertEqual(conn.sock.getsockname(), before)
        conn.close()

    def test_64_clients_are_served_side_by_side(self):
        port = self.serve("reply forever\n  raw a\n  delay 20ms\n  raw b\n")
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(self.ask(port).body))
                   for _ in range(64)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        self.assertEqual(answers, [b"ab"] * 64)

    def test_replies_follow_what_the_request_says(self):
        port = self.serve("reply when prompt contains cat\n  raw meow\nreply otherwise\n  raw hm\n")
        cat = {**HI, "messages": [{"role": "user", "content": "a cat"}]}
        self.assertEqual([self.ask(port, body).body for body in (HI, cat, cat)],
                         [b"hm", b"meow", b"hm"])

    def test_what_is_not_expected_is_told_to_both_sides(self):
        port = self.serve("\nreply\n  expect prompt contains cat\n  raw x\n")
        answer = self.ask(port)
        self.assertEqual(answer.status, 400)
        self.assertIn(b"model.script:3: request 1 does not match: prompt contains cat",
                      answer.body)
        self.assertEqual(self.ask(port).status, 400)
        status, errors = self.stop()
        self.assertEqual(status, 1)
        self.assertIn("model.script:3: request 1 does not match", errors)
        self.assertIn("no reply left for request 2", errors)

    def test_requests_are_recorded_without_credentials(self):
        log = os.path.join(self.root, "requests")
        port = self.serve("reply\n  raw ok\n", "--record-requests", log)
        conn = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        conn.request("POST", "/v1/messages?x=y", json.dumps(HI), {"x-api-key": "sk-secret"})
        conn.getresponse().read()
        conn.close()
        with open(log, encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("sk-secret", text)
        record = json.loads(text)
        self.assertEqual((record["method"], record["url"]), ("POST", "/v1/messages?x=y"))
        self.assertIn(["x-api-key", "[redacted]"], record["headers"])
        self.assertEqual(json.loads(record["text"]), HI)
        self.assertEqual(os.stat(log).st_mode & 0o777, 0o600)


class Life(Server):
    def test_a_signal_ends_it_cleanly_while_replies_are_under_way(self):
        for how in (signal.SIGTERM, signal.SIGINT):
            port = self.serve("reply forever\n  raw a\n  stall 10s\n")
            socks = [self.connect(port) for _ in range(3)]
            for sock in socks[1:]:
                sock.sendall(post())
                self.assertTrue(sock.recv(1))
            self.assertEqual(self.stop(how), (0, ""))

    def test_a_bad_script_is_told_with_file_and_line(self):
        path = os.path.join(self.cwd, "bad.script")
        with open(path, "w", encoding="utf-8") as file:
            file.write("reply\n  txet hello\n")
        ran = self.awl("model-server", path)
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"bad.script:2: 'txet' is not understood; did you mean 'text'?", ran.stderr)

    def test_what_cannot_be_served_is_said(self):
        port = str(self.serve("reply\n"))
        script = os.path.join(self.cwd, "model.script")
        for args, status, words in (
                ([], 1, b"no script given"),
                (["--port", "x", script], 1, b"must be a number"),
                (["--port", "70000", script], 1, b"must be a number"),
                (["--port", port, script], 1, b"Address already in use"),
                (["--host", "nowhere", script], 1, b"nowhere"),
                (["/nonexistent"], 1, b"/nonexistent"),
                (["--record-requests", "/nonexistent/log", script], 1, b"/nonexistent/log")):
            ran = self.awl("model-server", *args)
            self.assertEqual((ran.returncode, ran.stdout), (status, b""), args)
            self.assertIn(words, ran.stderr)

    def test_an_ipv6_address_is_announced_as_a_url(self):
        if not socket.has_ipv6 or not os.path.exists("/proc/net/if_inet6"):
            self.skipTest("this machine has no IPv6")
        with open("/proc/net/if_inet6", encoding="ascii") as file:
            if " lo" not in file.read():
                self.skipTest("loopback has no IPv6")
        script = os.path.join(self.cwd, "a.script")
        with open(script, "w", encoding="utf-8") as file:
            file.write("reply\n")
        process = subprocess.Popen([AWL, "model-server", "--host", "::1", script],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.environment())
        self.addCleanup(self.kill, process)
        self.assertRegex(process.stdout.readline(), rb"\Alistening on http://\[::1\]:\d+\n\Z")


if __name__ == "__main__":
    unittest.main()
