"""The official conformance suite of MCP: every client scenario that a revision of the protocol requires, driven
through awl as its users drive it (mcp/client.py)."""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import unittest

from rig import AWL

HERE = os.path.dirname(os.path.abspath(__file__))
SUITE = os.path.abspath(os.path.join(HERE, "../../.deps/mcp-conformance/node_modules/@modelcontextprotocol/conformance"))
NODE = os.path.abspath(os.path.join(HERE, "../../.deps/node/bin/node"))
CLIENT = os.path.join(HERE, "mcp/client.py")
PATIENCE_MS = 120000
AT_A_TIME = 2
# Extensions of the protocol, which no revision requires.
EXTENSIONS = ["auth/enterprise-managed-authorization"]


def required(revision):
    """The client scenarios that the suite requires at a revision; none if the suite is not there."""
    try:
        with open(os.path.join(SUITE, "requirements", f"{revision}.yaml"), encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return []
    client = text.partition("\nclient:\n")[2].partition("\nnot_scored:")[0]
    return re.findall(r"^  - (\S+)$", client, re.M)


def wanted(revision):
    """What is run for a revision."""
    return required(revision) + (EXTENSIONS if revision == "2025-11-25" else [])


def run(revision, scenario):
    """Runs one scenario; what went wrong, or an empty text."""
    node = NODE if os.path.exists(NODE) else shutil.which("node")
    ran = subprocess.run(
        [node, os.path.join(SUITE, "dist/index.js"), "client", "--command", f"{sys.executable} {CLIENT}",
         "--scenario", scenario, "--spec-version", revision, "--timeout", str(PATIENCE_MS),
         *(["--force"] if scenario in EXTENSIONS else [])],
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "AWL_PROGRAM": AWL},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    passed = ran.returncode == 0 and "OVERALL: PASSED" in ran.stdout + ran.stderr
    return "" if passed else ran.stdout[-4000:] + ran.stderr[-2000:]


def patiently(revision, scenario):
    """sse-retry measures how late a request comes, which a busy machine makes it: one of three runs has to be
    in time."""
    for _ in range(2 if scenario == "sse-retry" else 0):
        if not run(revision, scenario):
            return ""
    return run(revision, scenario)


@unittest.skipUnless(os.path.exists(SUITE), "the conformance suite is not there")
class Conformance(unittest.TestCase):
    revision = None
    count = 0

    @classmethod
    def setUpClass(cls):
        pool = concurrent.futures.ThreadPoolExecutor(AT_A_TIME)
        cls.addClassCleanup(pool.shutdown, cancel_futures=True)
        cls.runs = {name: pool.submit(patiently, cls.revision, name) for name in wanted(cls.revision)}

    def check(self, scenario):
        self.assertEqual(self.runs[scenario].result(), "")

    def check_count(self):
        self.assertEqual(len(required(self.revision)), self.count)


def revision(version, count):
    """The tests of a revision, one for each scenario."""
    tests = {"revision": version, "count": count, "test_no_scenario_is_missing": Conformance.check_count}
    for name in wanted(version):
        tests["test_" + re.sub(r"\W", "_", name)] = lambda self, name=name: self.check(name)
    return type("Conformance" + version.replace("-", ""), (Conformance,), tests)


Conformance20251125 = revision("2025-11-25", 18)
Conformance20260728 = revision("2026-07-28", 32)
del Conformance
