// An HTTP/2 server over TLS for test_net.py: node h2_server.js CERT KEY. Prints its port, then
// answers by path and tells how many connections and requests it has seen.
const fs = require("fs");
const http2 = require("http2");

let sessions = 0, requests = 0, socket;
const server = http2.createSecureServer({
  cert: fs.readFileSync(process.argv[2]),
  key: fs.readFileSync(process.argv[3]),
});
server.on("session", () => sessions++);
server.on("secureConnection", (newest) => (socket = newest));
server.on("stream", (stream, headers) => {
  requests++;
  stream.on("error", () => {});
  // With trailers to wait for, closing a stream does not end it well first.
  const waitForTrailers = headers[":path"] === "/reset";
  stream.respond({ ":status": 200, "content-type": "text/plain" }, { waitForTrailers });
  switch (headers[":path"]) {
    case "/reset":
      stream.write("part", () => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR));
      break;
    case "/drop":
      stream.write("part", () => socket.destroy());
      break;
    case "/echo":
      stream.pipe(stream);
      break;
    case "/big":
      stream.end(Buffer.alloc(3000000, "x"));
      break;
    default:
      stream.end(`sessions ${sessions} requests ${requests}`);
  }
});
server.on("sessionError", () => {});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume().on("end", () => process.exit(0));
