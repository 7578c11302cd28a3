"""The test server of MCP over WebSocket: one connection at a time, each served by a thread of its own. Written on
sockets, so that a test can break the protocol where it wants."""

import base64
import hashlib
import json
import socket
import struct
import threading

import mcp_server

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Connection(mcp_server.Server):
    def __init__(self, server, sock):
        super().__init__()
        self.server, self.sock, self.file = server, sock, sock.makefile("rb")

    def frame(self, opcode, payload, head=0x80):
        n = len(payload)
        length = bytes([n]) if n < 126 else b"\x7e" + struct.pack(">H", n) if n < 65536 else b"\x7f" + struct.pack(">Q", n)
        self.sock.sendall(bytes([head | opcode]) + length + payload)

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        if self.server.splits:  # in pieces, with a ping between them
            self.frame(TEXT, text[:3], 0)
            self.frame(PING, b"are you there")
            self.frame(0, text[3:])
        else:
            self.frame(TEXT, text)

    def respond(self, status, body, headers=""):
        self.sock.sendall(f"HTTP/1.1 {status} So\r\n{headers}Content-Length: {len(body)}\r\n\r\n{body}".encode())

    def shake_hands(self):
        lines = []
        while (line := self.file.readline().strip()):
            lines.append(line.decode())
        headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines[1:])}
        published = self.server.published.get(lines[0].split()[1])
        if published:  # by plain HTTP
            self.respond(200, json.dumps(published))
            return False
        self.server.heads.append((lines[0], headers))
        if self.server.bearer and headers.get("authorization") != f"Bearer {self.server.bearer()}":
            self.respond(401, "", f'WWW-Authenticate: Bearer scope="{self.server.scope}"\r\n')
            return False
        if self.server.status != 101:
            self.respond(self.server.status, "")
            return False
        key = headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        self.sock.sendall(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           f"Sec-WebSocket-Accept: {self.server.accept or accept}\r\n"
                           "Sec-WebSocket-Protocol: mcp\r\n\r\n").encode())
        return True

    def read(self, n):
        data = self.file.read(n)
        if len(data) < n:
            raise EOFError
        return data

    def receive(self):
        first, second = self.read(2)
        assert second & 0x80, "a client must mask"
        n = second & 0x7f
        if n >= 126:
            n = int.from_bytes(self.read(2 if n == 126 else 8), "big")
        mask = self.read(4)
        return first & 0x0f, bytes(c ^ mask[i % 4] for i, c in enumerate(self.read(n)))

    def call(self, name, arguments):
        text = arguments.get("text") if name == "act" else None
        if text == "break" and not self.server.was_broken:
            self.server.was_broken = True
            self.sock.shutdown(socket.SHUT_RDWR)
        elif text == "close":
            self.frame(CLOSE, struct.pack(">H", 1012) + b"restarting")
        elif text == "nonsense":
            self.sock.sendall(b"\xff\xff\xff\xff")
        elif text == "huge":
            self.sock.sendall(b"\x81\x7f" + struct.pack(">Q", 100 << 20) + b"x" * 65536)
        elif text == "slow":  # answers only when the client asks whether it lives
            opcode, payload = self.receive()
            self.server.pings += opcode == PING
            self.frame(PONG, payload)
        elif text == "long":
            return {"content": [{"type": "text", "text": "y" * 90000}]}
        return super().call(name, arguments)

    def run(self):
        try:
            if not self.shake_hands():
                return
            while True:
                opcode, payload = self.receive()
                if opcode == CLOSE:
                    self.server.closes.append(struct.unpack(">H", payload[:2])[0])
                    self.frame(CLOSE, payload[:2])
                    return
                if opcode == PONG:
                    self.server.pongs.append(payload)
                if opcode == TEXT:
                    self.server.received.append(json.loads(payload))
                    self.take(json.loads(payload))
        except (EOFError, OSError):
            pass
        finally:
            self.sock.close()


class WsServer:
    def __init__(self, splits=False, status=101, accept=None, tls=None):
        self.splits, self.status, self.accept, self.was_broken = splits, status, accept, False
        self.pings = 0
        self.bearer, self.scope = None, "speak"  # a function: the token that is wanted now
        self.published = {}  # path: what is at it
        self.heads, self.received, self.pongs, self.closes = [], [], [], []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.tls = tls
        threading.Thread(target=self.accept_all, daemon=True).start()

    def serve_one(self, sock):
        try:
            Connection(self, self.tls.wrap_socket(sock, server_side=True) if self.tls else sock).run()
        except OSError:
            sock.close()

    def accept_all(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve_one, args=(sock,), daemon=True).start()

    def stop(self):
        self.listener.close()
