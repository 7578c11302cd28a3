"""The commands that settings name for cloud credentials, run by the real binary."""

import json
import os
import signal
import subprocess
import time
import unittest

import test_clouds
from rig import AWL, PATIENCE, Sandbox

MODEL = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
EXPIRED = (403, "application/json",
           json.dumps({"__type": "ExpiredTokenException", "message": "expired"}).encode())
GREETING = (200, "application/vnd.amazon.eventstream",
            b"".join(map(test_clouds.chunk, test_clouds.EVENTS)))


class Commands(Sandbox):
    def setUp(self):
        super().setUp()
        self.server, self.url = test_clouds.serve(self)

    def put(self, name, text, folder=None):
        path = os.path.join(folder or self.home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))
        return path

    def settings(self, **settings):
        return self.put(".claude/settings.json", settings)

    def clouds(self, **env):
        return {"CLAUDE_CODE_USE_BEDROCK": "1", "ANTHROPIC_BEDROCK_BASE_URL": self.url,
                "AWS_REGION": "us-east-1", "ANTHROPIC_MODEL": MODEL, "CLAUDE_CODE_MAX_RETRIES": "0",
                "AWS_EC2_METADATA_DISABLED": "true",
                **env}

    def ask(self, **env):
        """Asks in a pipe; the events, and what the user was told of a command."""
        ran = self.awl("-p", "hi", "--output-format", "stream-json", "--verbose",
                       env=self.clouds(**env))
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        told = [event["content"] for event in events if event.get("subtype") == "informational"
                and ("Refresh" in event["content"] or "Export" in event["content"])]
        return ran, events, told

    def check_signed(self, which, key_id):
        _, credential, signature, expected = test_clouds.sigv4(self.server.seen[which], SECRET,
                                                               "us-east-1")
        self.assertEqual(signature, expected)
        self.assertEqual(credential.split("/")[0], key_id)

    def check_unseen(self, ran):
        """That the secret is nowhere: not in the output, not in any file awl wrote."""
        self.assertNotIn(SECRET.encode(), ran.stdout + ran.stderr)
        for folder, _, names in os.walk(os.path.join(self.home, ".claude")):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    if name != "settings.json":
                        self.assertNotIn(SECRET.encode(), file.read(), name)

    def keys(self, name):
        return f"aws_access_key_id={name}\naws_secret_access_key={SECRET}\n"

    def test_the_default_and_the_aliases_are_ids_of_bedrock(self):
        keys = {"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "s", "AWS_REGION": "eu-central-1"}
        for model, name in (("", "eu.anthropic.claude-opus-5-5"),
                            ("sonnet", "eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0"),
                            ("haiku", "eu.anthropic.claude-haiku-4-5-20251001-v1%3A0")):
            self.server.answers = [GREETING]
            ran, events, _ = self.ask(ANTHROPIC_MODEL=model, **keys)
            self.assertEqual(events[-1]["result"], "Grüß Gott", ran.stderr)
            self.assertEqual(self.server.seen[-1]["path"],
                             f"/model/{name}/invoke-with-response-stream")

    def test_the_doctor_names_the_keys_and_the_id_of_bedrock(self):
        said = self.awl("doctor", env=self.clouds(ANTHROPIC_MODEL="")).stdout
        self.assertIn(b"credential: none: no AWS credentials", said)
        self.assertIn(b"model in use: claude-opus-5-5,", said)
        self.assertIn(b"requested as: us.anthropic.claude-opus-5-5\n", said)
        said = self.awl("doctor", env=self.clouds(AWS_ACCESS_KEY_ID="id",
                                                  AWS_SECRET_ACCESS_KEY=SECRET)).stdout
        self.assertIn(b"credential: AWS_ACCESS_KEY_ID\n", said)
        self.assertNotIn(SECRET.encode(), said)

    def test_the_doctor_sees_without_a_prompt_what_a_cloud_lacks(self):
        for cloud, missing in (("BEDROCK", b"1 problem: credential\n"),
                               ("VERTEX", b"2 problems: credential, project\n"),
                               ("FOUNDRY", b"1 problem: credential\n")):
            with self.subTest(cloud=cloud):
                ran = self.awl("doctor", "--offline", env={f"CLAUDE_CODE_USE_{cloud}": "1"})
                self.assertEqual(ran.returncode, 1)
                self.assertTrue(ran.stdout.endswith(missing), ran.stdout)

    def test_a_login_writes_the_keys_that_sign(self):
        self.settings(env={"AWS_PROFILE": "dev"},
                      awsAuthRefresh="echo Open https://device.sso; echo for $AWS_PROFILE >&2; "
                                     "mkdir -p ~/.aws; printf '[%s]\\naws_access_key_id=NEW\\n"
                                     f"aws_secret_access_key={SECRET}\\n' $AWS_PROFILE "
                                     "> ~/.aws/credentials")
        self.server.answers = [GREETING]
        ran, events, told = self.ask()
        self.assertEqual(events[-1]["result"], "Grüß Gott", ran.stderr)
        self.assertEqual(told[-2:], ["awsAuthRefresh: Open https://device.sso",
                                     "awsAuthRefresh: for dev"])
        self.assertIn("running awsAuthRefresh: no AWS credentials", told[-3])
        self.check_signed(0, "NEW")

    def test_what_a_login_says_is_shown_beside_the_answer(self):
        self.settings(awsAuthRefresh="echo Open https://device.sso; mkdir -p ~/.aws; printf "
                                     "'[default]\\naws_access_key_id=NEW\\naws_secret_access_key=x'"
                                     " > ~/.aws/credentials")
        self.server.answers = [GREETING]
        ran = self.awl("-p", "hi", env=self.clouds())
        self.assertEqual(ran.stdout.decode(), "Grüß Gott\n")
        self.assertIn(b"awsAuthRefresh: Open https://device.sso\n", ran.stderr)

    def test_refused_keys_are_renewed_by_a_login(self):
        self.put(".aws/credentials", "[default]\n" + self.keys("OLD"))
        self.settings(awsAuthRefresh="sed -i s/OLD/NEW/ ~/.aws/credentials; echo Logged in.")
        self.server.answers = [EXPIRED, GREETING]
        ran, events, told = self.ask()
        self.assertEqual(events[-1]["result"], "Grüß Gott", ran.stderr)
        self.assertEqual(told, ["running awsAuthRefresh: AWS rejected the credentials",
                                "awsAuthRefresh: Logged in."])
        self.check_signed(0, "OLD")
        self.check_signed(1, "NEW")
        self.check_unseen(ran)

    def test_a_login_that_fails_is_told_in_its_words(self):
        self.settings(awsAuthRefresh="echo no browser here >&2; exit 3")
        ran, events, _ = self.ask()
        self.assertEqual(ran.returncode, 1)
        self.assertIn("awsAuthRefresh exited with status 3: no browser here", events[-1]["result"])
        self.assertEqual(self.server.seen, [])

    def test_exported_keys_sign_and_are_seen_nowhere(self):
        printed = {"Credentials": {"AccessKeyId": "EXPORTED", "SecretAccessKey": SECRET,
                                   "SessionToken": "a-token-of-some-length",
                                   "Expiration": "2099-01-01T00:00:00Z"}}
        path = self.put("printed.json", printed)
        self.settings(awsCredentialExport=f"cat {path}; echo not for you >&2")
        self.put(".aws/credentials", "[default]\n" + self.keys("OLD"))
        self.server.answers = [GREETING]
        ran, events, told = self.ask(AWS_ACCESS_KEY_ID="VARIABLE", AWS_SECRET_ACCESS_KEY="x")
        self.assertEqual((events[-1]["result"], told), ("Grüß Gott", []), ran.stderr)
        self.check_signed(0, "EXPORTED")
        self.assertEqual(self.server.seen[0]["headers"]["x-amz-security-token"],
                         "a-token-of-some-length")
        self.check_unseen(ran)
        self.assertNotIn(b"a-token-of-some-length", ran.stdout + ran.stderr)

    def test_what_is_no_key_is_not_repeated(self):
        for printed in (f'{{"AccessKeyId": "K", "SecretAccessKey": "{SECRET}\\n"}}', SECRET,
                        f'{{"AccessKeyId": "K", "SecretAccessKey": ["{SECRET}"]}}'):
            with self.subTest(printed=printed):
                path = self.put("printed.json", printed)
                self.settings(awsCredentialExport=f"cat {path}")
                ran, events, _ = self.ask()
                self.assertIn("invalid output of awsCredentialExport",
                              events[-1]["result"])
                self.check_unseen(ran)
        self.assertEqual(self.server.seen, [])

    def test_a_credential_process_is_run_without_a_shell(self):
        path = self.put("my tools/vend", "#!/bin/sh\nprintf '{\"Version\": 1, \"AccessKeyId\": "
                        "\"%s\", \"SecretAccessKey\": \"%s\"}' \"$1\" \"$2\"\n")
        os.chmod(path, 0o700)
        self.put(".aws/config", f"[default]\ncredential_process = \"{path}\" VENDED '{SECRET}'\n")
        self.server.answers = [GREETING]
        ran, events, _ = self.ask()
        self.assertEqual(events[-1]["result"], "Grüß Gott", ran.stderr)
        self.check_signed(0, "VENDED")
        self.check_unseen(ran)

    def test_commands_of_a_project_are_not_run(self):
        marker = os.path.join(self.root, "it-ran")
        traps = {key: f"touch {marker}" for key in
                 ("awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh", "proxyAuthHelper")}
        for name in ("settings.json", "settings.local.json"):
            self.put(f".claude/{name}", traps, self.cwd)
        ran, events, _ = self.ask()
        self.assertIn("no AWS credentials", events[-1]["result"])
        self.ask(CLAUDE_CODE_USE_BEDROCK="0", CLAUDE_CODE_USE_VERTEX="1")
        self.assertFalse(os.path.exists(marker))

    def test_the_proxy_is_told_what_its_helper_prints(self):
        runs = os.path.join(self.root, "runs")
        self.settings(env={"TOKEN": "of-the-settings"},
                      proxyAuthHelper=f"echo run >> {runs}; echo Bearer $TOKEN-$(wc -l < {runs})")
        self.server.answers = [(407, "text/plain", b"no"),
                               (200, "text/event-stream", test_clouds.sse(test_clouds.EVENTS))]
        ran = self.awl("-p", "hi", env={"ANTHROPIC_BASE_URL": "http://model.invalid",
                                        "ANTHROPIC_API_KEY": "k", "HTTP_PROXY": self.url,
                                        "ANTHROPIC_MODEL": "claude-sonnet-4-5"})
        self.assertEqual(ran.stdout.decode(), "Grüß Gott\n", ran.stderr)
        told = [seen["headers"]["proxy-authorization"] for seen in self.server.seen]
        self.assertEqual(told, ["Bearer of-the-settings-1", "Bearer of-the-settings-2"])
        self.assertTrue(self.server.seen[0]["path"].startswith("http://model.invalid/"))

    def test_the_proxy_of_the_settings_counts_before_that_of_the_shell(self):
        settings = {"HTTP_PROXY": self.url, "NO_PROXY": "", "ANTHROPIC_MODEL": "claude-sonnet-4-5"}
        self.settings(env=settings)
        self.server.answers = [(200, "text/event-stream", test_clouds.sse(test_clouds.EVENTS))]
        ran = self.awl("-p", "hi", env={"ANTHROPIC_BASE_URL": "http://model.invalid",
                                        "ANTHROPIC_API_KEY": "k", "no_proxy": "*",
                                        "http_proxy": "http://127.0.0.1:1"})
        self.assertEqual(ran.stdout.decode(), "Grüß Gott\n", ran.stderr)
        self.assertTrue(self.server.seen[0]["path"].startswith("http://model.invalid/"))
        self.assertEqual(json.loads(self.server.seen[0]["body"])["model"], "claude-sonnet-4-5")

    def test_a_proxy_of_a_project_is_not_asked_even_when_it_is_trusted(self):
        self.put(".claude/settings.json", {"env": {"HTTP_PROXY": "http://127.0.0.1:1"}}, self.cwd)
        self.awl("trust", "--yes")
        self.server.answers = [(200, "text/event-stream", test_clouds.sse(test_clouds.EVENTS))]
        ran = self.awl("-p", "hi", env={"ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": "k",
                                        "ANTHROPIC_MODEL": "claude-sonnet-4-5"})
        self.assertEqual(ran.stdout.decode(), "Grüß Gott\n", ran.stderr)

    def test_an_interrupt_ends_the_login(self):
        pidfile = os.path.join(self.root, "pid")
        self.settings(awsAuthRefresh=f"echo $$ > {pidfile}; echo Open https://device.sso; sleep 600")
        process = subprocess.Popen([AWL, "-p", "hi", "--output-format", "stream-json", "--verbose"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, cwd=self.cwd,
                                   env=self.environment(**self.clouds()))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while b"device.sso" not in process.stdout.readline():
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PATIENCE), 0)  # the result tells
        with open(pidfile, encoding="ascii") as file:
            login = int(file.read())
        deadline = time.monotonic() + PATIENCE
        while os.path.exists(f"/proc/{login}"):
            self.assertLess(time.monotonic(), deadline)

    def test_a_google_login_writes_the_credentials_that_are_traded(self):
        user = json.dumps({"type": "authorized_user", "client_id": "c", "client_secret": "s",
                           "refresh_token": "1//r", "token_uri": f"{self.url}/token"})
        path = self.put("adc.json", user)
        self.settings(gcpAuthRefresh="echo Go to https://accounts; mkdir -p ~/.config/gcloud; cp "
                                     f"{path} ~/.config/gcloud/application_default_credentials.json")
        self.server.answers = [
            (200, "application/json", b'{"access_token":"ya29.token","expires_in":3599}'),
            (200, "text/event-stream", test_clouds.sse(test_clouds.EVENTS))]
        ran, events, told = self.ask(
            CLAUDE_CODE_USE_BEDROCK="0", CLAUDE_CODE_USE_VERTEX="1", CLOUD_ML_REGION="us-east5",
            ANTHROPIC_VERTEX_BASE_URL=f"{self.url}/v1", ANTHROPIC_VERTEX_PROJECT_ID="p",
            ANTHROPIC_MODEL="claude-sonnet-4-5@20250929")
        self.assertEqual(events[-1]["result"], "Grüß Gott", ran.stderr)
        self.assertEqual(told[-1], "gcpAuthRefresh: Go to https://accounts")
        self.assertEqual(self.server.seen[1]["headers"]["authorization"], "Bearer ya29.token")


if __name__ == "__main__":
    unittest.main()
