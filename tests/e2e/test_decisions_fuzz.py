"""What awl allows has no effect that an allowed command must not have: a short run of the fuzzer
tests/fuzz/decisions.py, with a fixed seed."""

import os
import subprocess
import sys
import unittest

from rig import AWL

FUZZER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fuzz/decisions.py")


def has_sandbox():
    """Whether bubblewrap works here."""
    try:
        return subprocess.run(["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"], check=False,
                              capture_output=True).returncode == 0
    except OSError:
        return False


class Decisions(unittest.TestCase):
    @unittest.skipUnless(has_sandbox(), "bubblewrap does not work here")
    def test_what_is_allowed_does_no_more_than_it_may(self):
        build = os.path.abspath(os.path.join(os.path.dirname(AWL), "../.."))
        ran = subprocess.run([sys.executable, FUZZER, "--seed", "20261116", "--count", "500"], check=False,
                             capture_output=True, text=True, env={**os.environ, "AWL_BUILD": build})
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertRegex(ran.stdout, r"500 lines, [1-9][0-9]+ allowed and run, 0 findings")


if __name__ == "__main__":
    unittest.main()
