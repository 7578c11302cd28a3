"""The HTTP client against real TLS, HTTP/2 and proxies, all on loopback."""

import gzip
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest

import test_clouds
from rig import AWL, PATIENCE

BUILD = os.environ.get("AWL_BUILD", os.path.join(os.path.dirname(__file__), "../../build/gcc"))
CLIENT = os.path.abspath(os.path.join(BUILD, "tests/e2e/e2e-http-client"))
HERE = os.path.dirname(os.path.abspath(__file__))

certs = None


def openssl(*args):
    subprocess.run(["openssl", *args], check=True, capture_output=True, cwd=certs)


def make_ca(name):
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "30", "-subj", f"/CN={name}")


def make_cert(name, ca, names="DNS:localhost,IP:127.0.0.1", days="30"):
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
    with open(os.path.join(certs, f"{name}.ext"), "w") as ext:
        ext.write(f"subjectAltName={names}\n")
    openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{ca}.pem", "-CAkey", f"{ca}.key",
            "-CAcreateserial", "-out", f"{name}.pem", "-days", days, "-extfile", f"{name}.ext")


def path(name):
    return os.path.join(certs, name)


def setUpModule():
    global certs
    certs = tempfile.mkdtemp(prefix="awl-e2e-net-")
    for ca in ("ca", "other"):
        make_ca(ca)
        make_cert(f"{ca}-server", ca)
    make_cert("elsewhere", "ca", names="DNS:elsewhere.example")
    make_cert("client", "ca")
    openssl("ec", "-in", "client.key", "-aes128", "-passout", "pass:hush", "-out", "locked.key")
    os.mkdir(path("hashed"))
    shutil.copy(path("ca.pem"), path("hashed"))
    openssl("rehash", path("hashed"))


def tearDownModule():
    shutil.rmtree(certs)


def tunnel(a, b):
    """Copies between two sockets until both ends are closed."""
    def copy(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass
    thread = threading.Thread(target=copy, args=(b, a), daemon=True)
    thread.start()
    copy(a, b)
    thread.join(PATIENCE)


def read_head(conn):
    data = b""
    while b"\r\n\r\n" not in data:
        piece = conn.recv(65536)
        if not piece:
            break
        data += piece
    return data


def hang_up_gently(conn):
    """So that what was sent last, an alert, is not lost in a reset."""
    with conn:
        conn.shutdown(socket.SHUT_WR)
        while conn.recv(65536):
            pass


class Server:
    """Calls `serve(connection)` for each connection, on a thread for each."""

    def __init__(self, serve):
        self.serve = serve
        self.accepted = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                conn, _ = self.listener.accept()
            except OSError:
                return
            self.accepted += 1
            threading.Thread(target=self.handle, args=(conn,), daemon=True).start()

    def handle(self, conn):
        with conn:
            try:
                self.serve(conn)
            except OSError:
                pass

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def answer(body, close=False):
    more = b"Connection: close\r\n" if close else b""
    return b"HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s" % (more, len(body), body)


def tls_context(cert, client_ca=None, alpn=None):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path(f"{cert}.pem"), path(f"{cert}.key"))
    if client_ca:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(path(f"{client_ca}.pem"))
    if alpn:
        context.set_alpn_protocols(alpn)
    return context


class NetTest(unittest.TestCase):
    def server(self, serve):
        server = Server(serve)
        self.addCleanup(server.close)
        return server

    def tls_server(self, cert="ca-server", serve=None, **options):
        """HTTP/1.1 over TLS; `serve` gets the connection after the handshake."""
        context = tls_context(cert, **options)

        def default(conn):
            while read_head(conn):
                conn.sendall(answer(b"hello"))

        def handle(conn):
            with context.wrap_socket(conn, server_side=True,
                                     do_handshake_on_connect=False) as secure:
                try:
                    secure.do_handshake()
                except ssl.SSLError:
                    hang_up_gently(socket.socket(fileno=secure.detach()))
                else:
                    (serve or default)(secure)
        return self.server(handle)

    def client(self, *args, env=None):
        """Runs the client in an environment of its own; its report, parsed."""
        clean = {"PATH": os.environ["PATH"], "SSL_CERT_DIR": path("hashed"),
                 "RES_OPTIONS": "timeout:1 attempts:1"}  # a name server may be far away
        clean.update(env or {})
        done = subprocess.run([CLIENT, *args], capture_output=True, timeout=PATIENCE, env=clean)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def fetch(self, *args, env=None):
        """The only response."""
        return self.client(*args, env=env)["responses"][0]

    def check_fetched(self, response, body="hello"):
        self.assertEqual((response["error"], response["text"]), ("none", ""))
        self.assertEqual((response["status"], response["body"]), (200, body))

    def check_failed(self, response, kind, text=""):
        self.assertEqual(response["error"], kind, response["text"])
        self.assertIn(text, response["text"])
        self.assertNotIn("hush", response["text"])


class Library(NetTest):
    def fake_library(self, source):
        folder = tempfile.mkdtemp(dir=certs)
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o",
                        os.path.join(folder, "libcurl.so.4")],
                       input=source, text=True, check=True, capture_output=True)
        return folder

    def test_is_neither_linked_nor_loaded_before_a_client_is_made(self):
        linked = subprocess.run(["ldd", CLIENT], capture_output=True, text=True).stdout
        self.assertNotIn("libcurl", linked)
        report = self.client()
        self.assertFalse(report["loaded_before"])
        self.assertTrue(report["loaded_after"])

    def test_one_that_is_too_old_is_refused_with_the_package_to_install(self):
        with open(os.path.join(HERE, "../../src/net/http/curl_api.h")) as header:
            names = [line.split("(")[1].split(")")[0] for line in header
                     if line.startswith("\tX(")]
        source = "struct { int age; const char *version; unsigned num; } info = " \
                 "{ 9, \"7.79.1\", 0x074f01 };\n"
        for name in names:
            source += f"void *curl_{name}(void) {{ return &info; }}\n"
        env = {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": self.fake_library(source)}
        done = subprocess.run([CLIENT], capture_output=True, text=True, env=env, timeout=PATIENCE)
        self.assertEqual(done.returncode, 1)
        self.assertIn("7.79.1", done.stderr)
        self.assertIn("libcurl4", done.stderr)

    def test_a_name_server_that_hangs_does_not_hold_up_a_cancel(self):
        folder = tempfile.mkdtemp(dir=certs)
        stub = os.path.join(folder, "hang.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", stub], check=True, text=True,
                       input="#include <unistd.h>\nint getaddrinfo(const char *a, const char *b, "
                       "const void *c, void **d) { for (;;) pause(); }\n")
        response = self.fetch("--cancel-ms", "50", "http://hangs.example/",
                              env={"LD_PRELOAD": stub,
                                   "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"})
        self.check_failed(response, "cancelled")


class Trust(NetTest):
    def url(self, server):
        return f"https://localhost:{server.port}/"

    def test_the_systems_directory_is_believed_and_nothing_else(self):
        good, bad = self.tls_server(), self.tls_server("other-server")
        self.check_fetched(self.fetch(self.url(good)))
        self.check_failed(self.fetch(self.url(bad)), "tls", "certificate")

    def test_a_ca_file_replaces_the_system(self):
        good, bad = self.tls_server("other-server"), self.tls_server()
        for args, env in ((("--ca", path("other.pem")), {}), ((), {"SSL_CERT_FILE": path("other.pem")})):
            self.check_fetched(self.fetch(*args, self.url(good), env=env))
            self.check_failed(self.fetch(*args, self.url(bad), env=env), "tls", "certificate")

    def test_an_extra_ca_stands_beside_the_system(self):
        servers = self.tls_server(), self.tls_server("other-server")
        for args, env in (
                (("--extra-ca", path("other.pem")), {}),
                ((), {"NODE_EXTRA_CA_CERTS": path("other.pem")}),
                # Where there is no hashed directory, both are joined.
                ((), {"SSL_CERT_FILE": path("ca.pem"), "NODE_EXTRA_CA_CERTS": path("other.pem")})):
            for server in servers:
                self.check_fetched(self.fetch(*args, self.url(server), env=env))

    def test_a_ca_file_that_is_not_there_is_a_failure_that_names_it(self):
        server = self.tls_server()
        self.check_failed(self.fetch("--ca", "/no/such/ca.pem", self.url(server)), "tls",
                          "/no/such/ca.pem")

    def test_a_certificate_for_another_host_is_refused(self):
        server = self.tls_server("elsewhere")
        self.check_failed(self.fetch(self.url(server)), "tls", "name")

    def test_a_server_without_tls_is_a_failure_of_tls(self):
        server = self.server(lambda conn: conn.sendall(b"HTTP/1.1 400 Bad\r\n\r\n"))
        self.check_failed(self.fetch(self.url(server)), "tls")

    def test_a_handshake_that_is_cut_is_a_reset(self):
        server = self.server(lambda conn: conn.recv(1))
        self.check_failed(self.fetch(self.url(server)), "reset")

    def test_a_handshake_that_never_ends_is_given_up_with_the_connection(self):
        server = self.server(lambda conn: read_head(conn))
        self.check_failed(self.fetch("--connect-ms", "50", self.url(server)), "timeout-connect")

    def test_a_client_certificate_is_shown_with_or_without_a_password(self):
        server = self.tls_server(client_ca="ca")
        self.check_failed(self.fetch(self.url(server)), "tls")
        cert = "--cert", path("client.pem"), "--key"
        self.check_fetched(self.fetch(*cert, path("client.key"), self.url(server)))
        locked = *cert, path("locked.key"), "--key-password"
        self.check_fetched(self.fetch(*locked, "hush", self.url(server)))
        self.check_failed(self.fetch(*locked, "wrong", self.url(server)), "tls")

    def test_whom_a_session_believes_and_who_it_is_follows_the_settings(self):
        def serve(conn):
            head, _, body = read_head(conn).partition(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length:")[1].split()[0])
            while len(body) < length and (piece := conn.recv(65536)):
                body += piece
            conn.sendall(answer(test_clouds.sse(test_clouds.EVENTS)).replace(
                b"\r\n", b"\r\nContent-Type: text/event-stream\r\n", 1))
        server = self.tls_server(serve=serve, client_ca="ca")
        home = tempfile.mkdtemp(dir=certs)
        env = {"HOME": home, "PATH": os.environ["PATH"], "ANTHROPIC_API_KEY": "k",
               "ANTHROPIC_BASE_URL": self.url(server), "CLAUDE_CODE_MAX_RETRIES": "0"}
        os.mkdir(os.path.join(home, ".claude"))
        settings = {"NODE_EXTRA_CA_CERTS": path("ca.pem"), "CLAUDE_CODE_CLIENT_CERT": path("client.pem"),
                    "CLAUDE_CODE_CLIENT_KEY": path("locked.key"),
                    "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE": "hush"}
        for names, code in ((list(settings), 0), (list(settings)[1:], 1), (list(settings)[:1], 1)):
            with open(os.path.join(home, ".claude/settings.json"), "w") as file:
                json.dump({"env": {name: settings[name] for name in names}}, file)
            ran = subprocess.run([AWL, "-p", "hi"], capture_output=True, timeout=PATIENCE, env=env,
                                 cwd=home)
            self.assertEqual((ran.returncode, "Grüß Gott" in ran.stdout.decode()),
                             (code, code == 0), (names, ran))

    def test_a_body_cut_without_a_word_is_a_reset(self):
        def serve(conn):
            read_head(conn)
            conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart")
            os.close(conn.detach())  # without TLS's farewell
        self.check_failed(self.fetch(self.url(self.tls_server(serve=serve))), "reset")

    def test_a_session_is_resumed_on_the_next_connection(self):
        def serve(conn):
            read_head(conn)
            conn.sendall(answer(b"resumed" if conn.session_reused else b"full", close=True))
        url = self.url(self.tls_server(serve=serve))
        first, second = self.client(url, url)["responses"]
        self.check_fetched(first, "full")
        self.check_fetched(second, "resumed")


class Connections(NetTest):
    def test_a_preconnect_over_tls_is_what_the_request_uses(self):
        for alpn in (None, ["http/1.1"]):
            for option in ("--preconnect", "--connecting"):
                server = self.tls_server(alpn=alpn)
                url = f"https://localhost:{server.port}/"
                self.check_fetched(self.fetch(option, url))
                self.assertEqual(server.accepted, 1)

    def test_a_preconnect_that_fails_does_not_hold_up_the_request(self):
        calls = []
        version = subprocess.run(["curl", "--version"], capture_output=True, text=True).stdout.split()[1]
        dropped = 1 if int(version.split(".")[0]) < 8 else 0  # libcurl 8 does not preconnect

        def serve(conn):
            calls.append(conn)
            if len(calls) > dropped:
                read_head(conn)
                conn.sendall(answer(b"hello"))
        url = f"https://localhost:{self.tls_server(serve=serve).port}/"
        self.check_fetched(self.fetch("--preconnect", url))

    def test_a_packed_answer_that_swells_is_delivered_whole(self):
        packed = gzip.compress(bytes(48 << 20))

        def serve(conn):
            read_head(conn)
            conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
                         % len(packed) + packed)
        response = self.fetch(f"http://127.0.0.1:{self.server(serve).port}/")
        self.assertEqual((response["error"], response["bytes"]), ("none", 48 << 20))

    def test_requests_one_after_the_other_share_a_connection(self):
        server = self.tls_server()
        url = f"https://localhost:{server.port}/"
        for response in self.client(url, url, url)["responses"]:
            self.check_fetched(response)
        self.assertEqual(server.accepted, 1)

    def test_requests_at_once_get_a_connection_each_where_they_must(self):
        barrier = threading.Barrier(3, timeout=PATIENCE)

        def serve(conn):
            read_head(conn)
            barrier.wait()  # answers nobody until all have asked
            conn.sendall(answer(b"hello"))
        url = f"https://localhost:{self.tls_server(serve=serve).port}/"
        for response in self.client("--together", url, url, url)["responses"]:
            self.check_fetched(response)


class Http2(NetTest):
    def setUp(self):
        self.node = subprocess.Popen(
            ["node", os.path.join(HERE, "h2_server.js"), path("ca-server.pem"),
             path("ca-server.key")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        self.url = f"https://localhost:{int(self.node.stdout.readline())}"

    def stop(self):
        self.node.stdin.close()
        self.node.wait(PATIENCE)
        self.node.stdout.close()

    def test_is_spoken_where_the_server_has_it_on_one_connection(self):
        responses = self.client(self.url, self.url)["responses"]
        self.check_fetched(responses[0], "sessions 1 requests 1")
        self.check_fetched(responses[1], "sessions 1 requests 2")
        self.assertEqual([r["version"] for r in responses], [20, 20])

    def test_requests_at_once_are_all_answered(self):
        responses = self.client("--together", *[self.url] * 8)["responses"]
        self.assertEqual({(r["error"], r["version"]) for r in responses}, {("none", 20)})

    def test_a_preconnect_sends_nothing_and_is_what_the_request_uses(self):
        self.check_fetched(self.fetch("--preconnect", self.url), "sessions 1 requests 1")
        self.check_fetched(self.fetch("--connecting", self.url), "sessions 2 requests 2")

    def test_bodies_go_both_ways(self):
        self.check_fetched(self.fetch("--data", "payload", f"{self.url}/echo"), "payload")
        self.assertEqual(self.fetch(f"{self.url}/big")["bytes"], 3000000)

    def test_a_reader_that_pauses_gets_every_byte_while_others_go_on(self):
        big = f"{self.url}/big"
        responses = self.client("--pause-ms", "5", "--together", big, self.url, big)["responses"]
        self.assertEqual([r["error"] for r in responses], ["none"] * 3)
        self.assertEqual([responses[0]["bytes"], responses[2]["bytes"]], [3000000, 3000000])

    def test_a_stream_that_is_reset_is_a_reset_and_the_connection_goes_on(self):
        cut, after = self.client(f"{self.url}/reset", self.url)["responses"]
        self.check_failed(cut, "reset")
        self.assertEqual(cut["body"], "part")
        self.check_fetched(after, "sessions 1 requests 2")

    def test_a_connection_that_is_lost_is_a_reset(self):
        self.check_failed(self.fetch(f"{self.url}/drop"), "reset")


class Proxies(NetTest):
    def setUp(self):
        self.asked = []
        self.target = self.tls_server()
        self.url = f"https://localhost:{self.target.port}/"

    def connect_proxy(self, status=200, want_auth=None):
        def serve(conn):
            head = read_head(conn).decode()
            self.asked.append(head)
            code = status
            if want_auth and f"Proxy-Authorization: Basic {want_auth}\r\n" not in head:
                code = 407
            conn.sendall(f"HTTP/1.1 {code} Whatever\r\nX-Proxy: yes\r\n\r\n".encode())
            if code == 200:
                with socket.create_connection(("127.0.0.1", self.target.port)) as upstream:
                    tunnel(conn, upstream)
        return self.server(serve)

    def test_https_goes_through_a_connect_tunnel_by_setting_or_variable(self):
        proxy = f"http://127.0.0.1:{self.connect_proxy().port}"
        for args, env in ((("--proxy", proxy), {}), ((), {"HTTPS_PROXY": proxy}),
                          ((), {"https_proxy": proxy}), ((), {"ALL_PROXY": proxy}),
                          ((), {"all_proxy": proxy, "HTTP_PROXY": "http://127.0.0.1:1"})):
            self.asked.clear()
            response = self.fetch(*args, self.url, env=env)
            self.check_fetched(response)
            self.assertNotIn("X-Proxy", response["headers"])
            self.assertTrue(self.asked[0].startswith(f"CONNECT localhost:{self.target.port} "))

    def test_http_goes_to_the_proxy_whole_by_either_spelling_of_the_variable(self):
        def serve(conn):
            self.asked.append(read_head(conn).decode())
            conn.sendall(answer(b"from the proxy"))
        proxy = f"http://127.0.0.1:{self.server(serve).port}"
        for name in ("http_proxy", "HTTP_PROXY"):
            self.check_fetched(self.fetch("http://localhost:1/x", env={name: proxy}),
                               "from the proxy")
            self.assertTrue(self.asked.pop().startswith("GET http://localhost:1/x "))

    def test_a_host_of_no_proxy_is_reached_directly(self):
        for env in ({"NO_PROXY": "example.org,localhost"}, {"no_proxy": "*"}):
            env["HTTPS_PROXY"] = "http://127.0.0.1:1"
            self.check_fetched(self.fetch(self.url, env=env))

    def test_user_and_password_are_given_to_the_proxy_and_to_nobody_else(self):
        port = self.connect_proxy(want_auth="bWU6aHVzaA==").port
        self.check_fetched(self.fetch("--proxy", f"http://me:hush@127.0.0.1:{port}", self.url))
        response = self.fetch("--proxy", f"http://you:hush@127.0.0.1:{port}", self.url)
        self.check_failed(response, "proxy", f"https://localhost:{self.target.port}: the proxy answered 407")

    def helper(self, *values):
        """A command that prints these, one a run, and counts its runs; the last again and again."""
        folder = tempfile.mkdtemp(dir=certs)
        for i, value in enumerate(values):
            with open(os.path.join(folder, f"{i}"), "w", encoding="utf-8") as file:
                file.write(value)
        self.runs = os.path.join(folder, "runs")
        return (f"echo run >> {self.runs}; n=$(($(wc -l < {self.runs}) - 1)); "
                f"cat {folder}/$n 2>/dev/null || cat {folder}/{len(values) - 1}")

    def count_runs(self):
        with open(self.runs, encoding="utf-8") as file:
            return len(file.readlines())

    def test_what_a_helper_prints_is_told_to_the_proxy_and_to_nobody_else(self):
        port = self.connect_proxy(want_auth="bWU6aHVzaA==").port
        helper = self.helper("Basic bWU6aHVzaA==\n")
        responses = self.client("--proxy", f"http://127.0.0.1:{port}", "--proxy-helper", helper,
                                "--together", self.url, self.url, self.url)["responses"]
        for response in responses:
            self.check_fetched(response)
        self.assertEqual(self.count_runs(), 1)
        self.check_fetched(self.fetch("--proxy-helper", "exit 1", self.url,
                                      env={"NO_PROXY": "*"}))

    def test_a_helper_is_asked_once_more_when_the_proxy_does_not_take_it(self):
        port = self.connect_proxy(want_auth="bmV3").port
        proxy = f"http://127.0.0.1:{port}"
        helper = self.helper("Basic b2xk", "Basic bmV3")
        self.check_fetched(self.fetch("--proxy", proxy, "--proxy-helper", helper, self.url))
        self.assertEqual(self.count_runs(), 2)
        helper = self.helper("Basic b2xk")
        self.check_failed(self.fetch("--proxy", proxy, "--proxy-helper", helper, self.url),
                          "proxy", "the proxy answered 407")
        self.assertEqual(self.count_runs(), 2)

    def test_a_server_behind_a_tunnel_does_not_speak_for_the_proxy(self):
        def serve(conn):
            while read_head(conn):
                conn.sendall(answer(b"hush").replace(b"200", b"407", 1))
        self.target = self.tls_server(serve=serve)
        proxy = f"http://127.0.0.1:{self.connect_proxy().port}"
        response = self.fetch("--proxy", proxy, "--proxy-helper", self.helper("x"),
                              f"https://localhost:{self.target.port}/")
        self.assertEqual((response["status"], response["body"]), (407, "hush"))
        self.assertEqual(self.count_runs(), 1)

    def test_a_request_without_a_tunnel_is_sent_again_whole(self):
        bodies = []

        def serve(conn):
            head, _, body = read_head(conn).partition(b"\r\n\r\n")
            while len(body) < len(b"all of it"):
                body += conn.recv(65536)
            bodies.append((b"\r\nProxy-Authorization: new\r\n" in head, body))
            if bodies[-1][0]:
                conn.sendall(answer(b"through"))
            else:
                conn.sendall(b"HTTP/1.1 407 No\r\nX-Proxy: yes\r\nContent-Length: 4\r\n\r\nhush")
        proxy = f"http://127.0.0.1:{self.server(serve).port}"
        response = self.fetch("--proxy", proxy, "--proxy-helper", self.helper("old", "new"),
                              "--data", "all of it", "http://localhost:1/x")
        self.check_fetched(response, "through")
        self.assertNotIn("X-Proxy", response["headers"])
        self.assertEqual(bodies, [(False, b"all of it"), (True, b"all of it")])
        response = self.fetch("--proxy", proxy, "--proxy-helper", self.helper("old"),
                              "--data", "all of it", "http://localhost:1/x")
        self.assertEqual((response["status"], response["body"]), (407, "hush"))

    def test_a_helper_that_fails_is_the_failure_of_the_request(self):
        proxy = f"http://127.0.0.1:{self.connect_proxy().port}"
        for helper, kind, text in (
                ("echo hush; echo no vault >&2; exit 4", "access",
                 "proxyAuthHelper exited with status 4: no vault"),
                ("printf 'hush\\r\\nX-Evil: 1'", "invalid",
                 "the output of proxyAuthHelper is not a valid header value"),
                ("true", "invalid", "the output of proxyAuthHelper")):
            self.check_failed(self.fetch("--proxy", proxy, "--proxy-helper", helper, self.url),
                              kind, text)
        self.assertEqual(self.asked, [])

    def test_a_request_that_waits_for_the_helper_can_be_cancelled(self):
        proxy = f"http://127.0.0.1:{self.connect_proxy().port}"
        for urls in ([self.url], [self.url] * 3):
            responses = self.client("--proxy", proxy, "--proxy-helper", "sleep 600", "--together",
                                    "--cancel-ms", "20", *urls)["responses"]
            self.assertEqual({response["error"] for response in responses}, {"cancelled"})
        self.assertEqual(self.asked, [])

    def test_a_proxy_that_refuses_fails_or_is_not_there_is_a_failure_of_the_proxy(self):
        refusing = self.connect_proxy(status=403).port
        closing = self.server(lambda conn: read_head(conn)).port
        self.check_failed(self.fetch("--proxy", f"http://127.0.0.1:{refusing}", self.url), "proxy", "403")
        self.check_failed(self.fetch("--proxy", f"http://127.0.0.1:{closing}", self.url), "proxy")
        self.check_failed(self.fetch("--proxy", "http://127.0.0.1:1", self.url), "proxy")
        self.check_failed(self.fetch("--proxy", "http://no-such-proxy.invalid:1", self.url), "proxy")

    def test_a_proxy_that_never_answers_is_given_up_with_the_connection(self):
        silent = self.server(lambda conn: (read_head(conn), conn.recv(1))).port
        response = self.fetch("--connect-ms", "50", "--proxy", f"http://127.0.0.1:{silent}", self.url)
        self.check_failed(response, "timeout-connect")

    def test_a_certificate_is_checked_through_a_tunnel_too(self):
        self.target = self.tls_server("other-server")
        proxy = f"http://127.0.0.1:{self.connect_proxy().port}"
        self.check_failed(self.fetch("--proxy", proxy, self.url), "tls", "certificate")

    def socks_proxy(self, reply=0, user=None):
        def serve(conn):
            methods = conn.recv(257)
            self.asked.append(("methods", set(methods[2:])))
            if user:
                conn.sendall(b"\x05\x02")
                self.asked.append(("login", conn.recv(512)))
                conn.sendall(b"\x01\x00" if self.asked[-1][1] == user else b"\x01\x01")
            else:
                conn.sendall(b"\x05\x00")
            request = conn.recv(512)
            if not request:
                return
            self.asked.append(("address", request[3], request))
            conn.sendall(bytes([5, reply, 0, 1, 127, 0, 0, 1, 0, 0]))
            if reply == 0:
                with socket.create_connection(("127.0.0.1", self.target.port)) as upstream:
                    tunnel(conn, upstream)
        return self.server(serve)

    def test_socks_is_spoken_with_names_resolved_there_or_here(self):
        port = self.socks_proxy().port
        for scheme, kinds in (("socks5h", {3}), ("socks5", {1, 4})):
            self.asked.clear()
            self.check_fetched(self.fetch(self.url, env={"ALL_PROXY": f"{scheme}://127.0.0.1:{port}"}))
            self.assertTrue(kinds & {entry[1] for entry in self.asked if entry[0] == "address"})

    def test_socks_is_given_user_and_password(self):
        port = self.socks_proxy(user=b"\x01\x02me\x04hush").port
        self.check_fetched(self.fetch("--proxy", f"socks5h://me:hush@127.0.0.1:{port}", self.url))
        self.check_failed(self.fetch("--proxy", f"socks5h://you:hush@127.0.0.1:{port}", self.url), "proxy")

    def test_socks_that_cannot_reach_the_host_is_a_failure_of_the_proxy(self):
        port = self.socks_proxy(reply=5).port
        self.check_failed(self.fetch("--proxy", f"socks5h://127.0.0.1:{port}", self.url), "proxy")


if __name__ == "__main__":
    unittest.main()
