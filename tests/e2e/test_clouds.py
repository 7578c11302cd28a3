"""Bedrock, Vertex and Foundry over real HTTP. What awl signs is checked with other
people's code: SigV4 recomputed here from what arrived, JWTs by the openssl program;
and event streams are framed by Python's zlib."""

import base64
import hashlib
import hmac
import http.server
import json
import os
import shutil
import struct
import subprocess
import tempfile
import threading
import unittest
import urllib.parse
import zlib

from rig import PATIENCE

BUILD = os.environ.get("AWL_BUILD", os.path.join(os.path.dirname(__file__), "../../build/gcc"))
CLIENT = os.path.abspath(os.path.join(BUILD, "tests/e2e/e2e-cloud-client"))

EVENTS = [
    {"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": [],
        "usage": {"input_tokens": 3, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0,
     "delta": {"type": "text_delta", "text": "Grüß "}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Gott"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}},
    {"type": "message_stop"},
]

WHOLE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude",
         "content": [{"type": "text", "text": "Grüß Gott"}], "stop_reason": "end_turn",
         "usage": {"input_tokens": 3, "output_tokens": 7}}


def header(name, value):
    name, value = name.encode(), value.encode()
    return bytes([len(name)]) + name + b"\x07" + struct.pack(">H", len(value)) + value


def frame(kind, name, payload):
    headers = (header(f":{kind}-type", name) + header(":content-type", "application/json")
               + header(":message-type", kind))
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    message = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + payload
    return message + struct.pack(">I", zlib.crc32(message))


def chunk(event):
    data = base64.b64encode(json.dumps(event).encode()).decode()
    return frame("event", "chunk", json.dumps({"bytes": data, "p": "abc"}).encode())


def sse(events):
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    def serve(self):
        length = int(self.headers.get("content-length", 0))
        seen = {"method": self.command, "path": self.path, "headers": self.headers,
                "body": self.rfile.read(length)}
        self.server.seen.append(seen)
        status, kind, body = self.server.answers.pop(0)
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET = do_PUT = serve

    def log_message(self, *args):
        pass


def serve(test):
    """A cloud for one test: what it was asked is in `seen`, what it says in `answers`. And its URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.seen, server.answers = [], []
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    test.addCleanup(thread.join)
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return server, f"http://127.0.0.1:{server.server_port}"


class Clouds(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="awl-e2e-clouds-")
        self.addCleanup(shutil.rmtree, self.home)
        self.server, self.url = serve(self)

    def answer(self, status, kind, body):
        self.server.answers.append((status, kind, body))

    def put(self, name, text):
        path = os.path.join(self.home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def ask(self, model, *args, **env):
        ran = subprocess.run([CLIENT, *args, model], capture_output=True, timeout=PATIENCE,
                             env={"HOME": self.home, "PATH": "/usr/bin:/bin",
                                  "AWS_EC2_METADATA_DISABLED": "true", **env})
        self.assertEqual(ran.stderr, b"")
        self.assertEqual(ran.returncode, 0)
        return json.loads(ran.stdout)

    def check_greeting(self, said):
        self.assertEqual(said, {"text": "Grüß Gott", "output": 7})


def sigv4(seen, secret, region):
    """The signature that AWS would compute for what arrived."""
    fields = dict(part.strip().split("=", 1) for part in
                  seen["headers"]["authorization"].split(" ", 1)[1].split(","))
    names = fields["SignedHeaders"].split(";")
    path, _, query = seen["path"].partition("?")
    request = "\n".join([
        seen["method"],
        urllib.parse.quote(path, safe="/-_.~"),
        "&".join(sorted(query.split("&"))) if query else "",
        *(f"{name}:{' '.join(seen['headers'][name].split())}" for name in names),
        "",
        ";".join(names),
        hashlib.sha256(seen["body"]).hexdigest(),
    ])
    stamp = seen["headers"]["x-amz-date"]
    scope = f"{stamp[:8]}/{region}/bedrock/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope,
                      hashlib.sha256(request.encode()).hexdigest()])
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    expected = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    return names, fields["Credential"], fields["Signature"], expected


class Bedrock(Clouds):
    MODEL = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
    KEYS = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
            "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}

    def bedrock(self, *args, **env):
        return self.ask(self.MODEL, *args, CLAUDE_CODE_USE_BEDROCK="1",
                        ANTHROPIC_BEDROCK_BASE_URL=self.url, **env)

    def check_signed(self, region, key_id=KEYS["AWS_ACCESS_KEY_ID"],
                     secret=KEYS["AWS_SECRET_ACCESS_KEY"]):
        seen = self.server.seen[-1]
        names, credential, signature, expected = sigv4(seen, secret, region)
        self.assertEqual(signature, expected)
        self.assertEqual(credential.split("/")[0], key_id)
        self.assertEqual(credential.split("/")[2:], [region, "bedrock", "aws4_request"])
        self.assertLessEqual({"host", "x-amz-date", "content-type"}, set(names))
        return names

    def test_a_signed_request_is_answered_in_frames(self):
        self.answer(200, "application/vnd.amazon.eventstream", b"".join(map(chunk, EVENTS)))
        self.check_greeting(self.bedrock(AWS_REGION="eu-central-1", **self.KEYS))
        seen = self.server.seen[0]
        self.assertEqual(seen["path"], "/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/"
                                       "invoke-with-response-stream")
        body = json.loads(seen["body"])
        self.assertEqual(body["anthropic_version"], "bedrock-2023-05-31")
        self.assertNotIn("model", body)
        self.assertNotIn("stream", body)
        self.check_signed("eu-central-1")

    def test_a_whole_answer_is_plain_json(self):
        self.answer(200, "application/json", json.dumps(WHOLE).encode())
        self.check_greeting(self.bedrock("--whole", **self.KEYS))
        self.assertTrue(self.server.seen[0]["path"].endswith("/invoke"))
        self.check_signed("us-east-1")

    def test_a_session_token_is_signed_too(self):
        self.answer(200, "application/vnd.amazon.eventstream", b"".join(map(chunk, EVENTS)))
        self.check_greeting(self.bedrock(AWS_SESSION_TOKEN="tok/en==", **self.KEYS))
        self.assertIn("x-amz-security-token", self.check_signed("us-east-1"))
        self.assertEqual(self.server.seen[0]["headers"]["x-amz-security-token"], "tok/en==")

    def test_keys_and_region_come_from_a_profile(self):
        self.put(".aws/credentials", "[dev]\naws_access_key_id = FILEKEY\n"
                                     "aws_secret_access_key = file/secret\n")
        self.put(".aws/config", "[profile dev]\nregion = ap-southeast-2\n")
        self.answer(200, "application/vnd.amazon.eventstream", b"".join(map(chunk, EVENTS)))
        self.check_greeting(self.bedrock(AWS_PROFILE="dev"))
        self.check_signed("ap-southeast-2", "FILEKEY", "file/secret")

    def test_keys_come_from_the_metadata_service(self):
        self.answer(200, "text/plain", b"imds-token")
        self.answer(200, "text/plain", b"my-role")
        self.answer(200, "application/json", json.dumps(
            {"Code": "Success", "AccessKeyId": "IMDSKEY", "SecretAccessKey": "imds/secret",
             "Token": "tok", "Expiration": "2999-01-01T00:00:00Z"}).encode())
        self.answer(200, "application/vnd.amazon.eventstream", b"".join(map(chunk, EVENTS)))
        self.check_greeting(self.bedrock(AWS_EC2_METADATA_SERVICE_ENDPOINT=self.url,
                                         AWS_EC2_METADATA_DISABLED="false"))
        token, role, keys, _ = self.server.seen
        self.assertEqual((token["method"], token["path"]), ("PUT", "/latest/api/token"))
        self.assertEqual(role["headers"]["x-aws-ec2-metadata-token"], "imds-token")
        self.assertEqual(keys["path"], "/latest/meta-data/iam/security-credentials/my-role")
        self.check_signed("us-east-1", "IMDSKEY", "imds/secret")

    def test_keys_come_from_the_service_of_a_container(self):
        self.answer(200, "application/json", json.dumps(
            {"AccessKeyId": "ECSKEY", "SecretAccessKey": "ecs/secret", "Token": "tok",
             "Expiration": "2999-01-01T00:00:00Z"}).encode())
        self.answer(200, "application/vnd.amazon.eventstream", b"".join(map(chunk, EVENTS)))
        self.check_greeting(self.bedrock(
            AWS_CONTAINER_CREDENTIALS_FULL_URI=f"{self.url}/creds",
            AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=self.put("token", "eks-token\n")))
        self.assertEqual(self.server.seen[0]["headers"]["authorization"], "eks-token")
        self.check_signed("us-east-1", "ECSKEY", "ecs/secret")

    def test_the_small_model_is_signed_for_its_own_region(self):
        self.answer(200, "application/vnd.amazon.eventstream", b"".join(map(chunk, EVENTS)))
        self.check_greeting(self.bedrock(
            AWS_REGION="eu-central-1", ANTHROPIC_SMALL_FAST_MODEL=self.MODEL,
            ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION="us-west-2", **self.KEYS))
        self.check_signed("us-west-2")

    def test_a_bearer_token_needs_no_signature(self):
        self.answer(200, "application/vnd.amazon.eventstream", b"".join(map(chunk, EVENTS)))
        self.check_greeting(self.bedrock(AWS_BEARER_TOKEN_BEDROCK="b-token", **self.KEYS))
        self.assertEqual(self.server.seen[0]["headers"]["authorization"], "Bearer b-token")
        self.assertNotIn("x-amz-date", self.server.seen[0]["headers"])

    def test_an_exception_in_the_stream_is_a_failure(self):
        self.answer(200, "application/vnd.amazon.eventstream",
                    b"".join(map(chunk, EVENTS[:3]))
                    + frame("exception", "throttlingException", b'{"message":"slow down"}'))
        said = self.bedrock(**self.KEYS)
        self.assertEqual(said["failure"], "rate_limit")
        self.assertIn("slow down", said["why"])

    def test_a_damaged_frame_is_a_failure(self):
        stream = bytearray(b"".join(map(chunk, EVENTS)))
        stream[-20] ^= 1
        self.answer(200, "application/vnd.amazon.eventstream", bytes(stream))
        said = self.bedrock(**self.KEYS)
        self.assertEqual(said["failure"], "protocol_error")
        self.assertIn("checksum", said["why"])

    def test_a_cut_stream_is_a_failure(self):
        self.answer(200, "application/vnd.amazon.eventstream",
                    b"".join(map(chunk, EVENTS))[:-10])
        self.assertIn("failure", self.bedrock(**self.KEYS))

    def test_without_keys_nothing_is_sent(self):
        said = self.bedrock()
        self.assertEqual(said["failure"], "authentication_failed")
        self.assertIn("AWS_ACCESS_KEY_ID", said["why"])
        self.assertEqual(self.server.seen, [])


class Vertex(Clouds):
    MODEL = "claude-sonnet-4-5@20250929"

    def vertex(self, *args, **env):
        return self.ask(self.MODEL, *args, CLAUDE_CODE_USE_VERTEX="1",
                        ANTHROPIC_VERTEX_BASE_URL=f"{self.url}/v1", **env)

    def service_account(self):
        """A key made by openssl; returns the paths of credentials and public key."""
        private, public = os.path.join(self.home, "k.pem"), os.path.join(self.home, "k.pub")
        subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt",
                        "rsa_keygen_bits:2048", "-out", private], check=True, capture_output=True)
        subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)
        with open(private, encoding="ascii") as file:
            key = file.read()
        return self.put("sa.json", json.dumps({
            "type": "service_account", "project_id": "sa-project", "private_key_id": "kid-1",
            "private_key": key, "client_email": "svc@sa-project.iam.gserviceaccount.com",
            "token_uri": f"{self.url}/token"})), public

    def grant(self):
        self.answer(200, "application/json",
                    b'{"access_token":"ya29.token","expires_in":3599,"token_type":"Bearer"}')

    def check_jwt(self, jwt, public):
        head, claims, signature = jwt.split(".")
        signed = self.put("signed", f"{head}.{claims}")
        with open(os.path.join(self.home, "sig"), "wb") as file:
            file.write(base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4)))
        verified = subprocess.run(["openssl", "dgst", "-sha256", "-verify", public, "-signature",
                                   os.path.join(self.home, "sig"), signed], capture_output=True)
        self.assertEqual(verified.stdout, b"Verified OK\n")
        return [json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
                for part in (head, claims)]

    def test_a_service_account_signs_what_openssl_verifies(self):
        credentials, public = self.service_account()
        self.grant()
        self.answer(200, "text/event-stream", sse(EVENTS))
        self.check_greeting(self.vertex(GOOGLE_APPLICATION_CREDENTIALS=credentials,
                                        CLOUD_ML_REGION="europe-west1"))
        token, asked = self.server.seen
        form = urllib.parse.parse_qs(token["body"].decode(), strict_parsing=True)
        self.assertEqual(token["path"], "/token")
        self.assertEqual(form["grant_type"], ["urn:ietf:params:oauth:grant-type:jwt-bearer"])
        head, claims = self.check_jwt(form["assertion"][0], public)
        self.assertEqual(head, {"alg": "RS256", "typ": "JWT", "kid": "kid-1"})
        self.assertEqual(claims["iss"], "svc@sa-project.iam.gserviceaccount.com")
        self.assertEqual(claims["aud"], f"{self.url}/token")
        self.assertEqual(claims["scope"], "https://www.googleapis.com/auth/cloud-platform")
        self.assertEqual(claims["exp"] - claims["iat"], 3600)
        self.assertEqual(asked["path"],
                         "/v1/projects/sa-project/locations/europe-west1/publishers/anthropic/"
                         "models/claude-sonnet-4-5@20250929:streamRawPredict")
        self.assertEqual(asked["headers"]["authorization"], "Bearer ya29.token")
        body = json.loads(asked["body"])
        self.assertEqual(body["anthropic_version"], "vertex-2023-10-16")
        self.assertEqual(body["stream"], True)
        self.assertNotIn("model", body)

    def test_a_login_of_gcloud_trades_its_refresh_token(self):
        self.put(".config/gcloud/application_default_credentials.json", json.dumps({
            "type": "authorized_user", "client_id": "c", "client_secret": "s",
            "refresh_token": "1//r", "token_uri": f"{self.url}/token"}))
        self.put(".config/gcloud/configurations/config_default", "[core]\nproject = gcloud-p\n")
        self.grant()
        self.answer(200, "application/json", json.dumps(WHOLE).encode())
        self.check_greeting(self.vertex("--whole", VERTEX_REGION_CLAUDE_4_5_SONNET="us-east5",
                                        CLOUD_ML_REGION="global"))
        form = urllib.parse.parse_qs(self.server.seen[0]["body"].decode())
        self.assertEqual(form, {"grant_type": ["refresh_token"], "client_id": ["c"],
                                "client_secret": ["s"], "refresh_token": ["1//r"]})
        self.assertEqual(self.server.seen[1]["path"],
                         "/v1/projects/gcloud-p/locations/us-east5/publishers/anthropic/models/"
                         "claude-sonnet-4-5@20250929:rawPredict")

    def test_a_revoked_login_says_so(self):
        credentials, _ = self.service_account()
        self.answer(400, "application/json", b'{"error":"invalid_grant"}')
        said = self.vertex(GOOGLE_APPLICATION_CREDENTIALS=credentials)
        self.assertEqual(said["failure"], "authentication_failed")
        self.assertIn("invalid_grant", said["why"])

    def test_no_credentials_is_told_at_once_without_asking_anybody(self):
        said = self.vertex(ANTHROPIC_VERTEX_PROJECT_ID="p")
        self.assertEqual(said["failure"], "authentication_failed")
        self.assertIn("gcloud auth application-default login", said["why"])
        self.assertEqual(self.server.seen, [])

    def test_a_refusal_of_google_is_classed(self):
        self.answer(429, "application/json", json.dumps([{"error": {
            "code": 429, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED"}}]).encode())
        said = self.vertex(ANTHROPIC_VERTEX_PROJECT_ID="p", CLAUDE_CODE_SKIP_VERTEX_AUTH="1")
        self.assertEqual((said["failure"], said["status"]), ("rate_limit", 429))
        self.assertNotIn("authorization", self.server.seen[0]["headers"])


class Foundry(Clouds):
    def foundry(self, **env):
        return self.ask("claude-sonnet-4-5", CLAUDE_CODE_USE_FOUNDRY="1",
                        ANTHROPIC_FOUNDRY_BASE_URL=f"{self.url}/anthropic", **env)

    def test_a_key_goes_into_azures_header(self):
        self.answer(200, "text/event-stream", sse(EVENTS))
        self.check_greeting(self.foundry(ANTHROPIC_FOUNDRY_API_KEY="k"))
        seen = self.server.seen[0]
        self.assertEqual(seen["path"], "/anthropic/v1/messages")
        self.assertEqual(seen["headers"]["x-api-key"], "k")
        self.assertEqual(seen["headers"]["anthropic-version"], "2023-06-01")
        self.assertEqual(json.loads(seen["body"])["model"], "claude-sonnet-4-5")

    def test_a_token_is_a_bearer(self):
        self.answer(200, "text/event-stream", sse(EVENTS))
        self.check_greeting(self.foundry(ANTHROPIC_FOUNDRY_AUTH_TOKEN="t"))
        self.assertEqual(self.server.seen[0]["headers"]["authorization"], "Bearer t")

    def test_a_missing_deployment_is_a_missing_model(self):
        self.answer(404, "application/json",
                    b'{"error":{"code":"DeploymentNotFound","message":"none"}}')
        said = self.foundry(ANTHROPIC_FOUNDRY_API_KEY="k")
        self.assertEqual(said["failure"], "model_not_found")


if __name__ == "__main__":
    unittest.main()
