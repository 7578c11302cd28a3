#!/usr/bin/env python3
"""Runs the end-to-end tests (tests/e2e/test_*.py) and reports in TAP.

AWL_BUILD names the build directory to test. Arguments select tests whose
name contains one of them. Without arguments the files run side by side, two
at a time: most tests wait most of the time.
"""

import concurrent.futures
import glob
import os
import re
import signal
import subprocess
import sys
import unittest

SLOW = ["test_mcp_conformance"]
HERE = os.path.dirname(os.path.abspath(__file__))

# Seconds for one test. One that hangs fails, and the next one runs.
LIMIT = 600


def give_up(*_):
    raise AssertionError(f"does not come to an end: no result after {LIMIT} s")


class TapResult(unittest.TestResult):
    count = 0

    def startTest(self, test):
        super().startTest(test)
        signal.alarm(LIMIT)

    def stopTest(self, test):
        signal.alarm(0)
        super().stopTest(test)

    def line(self, ok, test, why=""):
        self.count += 1
        print(f"{'ok' if ok else 'not ok'} {self.count} - {test.id()}", flush=True)
        for text in why.splitlines():
            print(f"# {text}", flush=True)

    def addSuccess(self, test):
        self.line(True, test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.line(False, test, self._exc_info_to_string(err, test))

    def addError(self, test, err):
        super().addError(test, err)
        self.line(False, test, self._exc_info_to_string(err, test))

    def addSkip(self, test, reason):
        self.count += 1
        print(f"ok {self.count} - {test.id()} # SKIP {reason}", flush=True)

    def addSubTest(self, test, subtest, err):
        if err:
            super().addSubTest(test, subtest, err)
            self.line(False, subtest, self._exc_info_to_string(err, test))


def flatten(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        else:
            yield test


def run(words):
    """Runs the tests that the words select, in this process. "test_mcp." means all of that file."""
    is_file = words[0].endswith(".")
    sys.path.insert(0, HERE)
    sys.dont_write_bytecode = True
    pattern = words[0] + "py" if is_file else "test_*.py"
    tests = flatten(unittest.defaultTestLoader.discover(HERE, pattern=pattern))
    # A file that cannot be imported is a test that fails, under a name of its own, whatever the words are.
    wanted = [t for t in tests if is_file or "_FailedTest" in t.id() or any(w in t.id() for w in words)]
    if not wanted:
        print(f"no test has {' or '.join(words)} in its name", file=sys.stderr)
    signal.signal(signal.SIGALRM, give_up)
    result = TapResult()
    unittest.TestSuite(wanted).run(result)
    return 0 if wanted and result.wasSuccessful() else 1


def run_file(name):
    """Runs the tests of one file in a process of its own; returns what it printed, and its status."""
    ran = subprocess.run([sys.executable, __file__, name + "."], stdout=subprocess.PIPE, text=True,
                         stdin=subprocess.DEVNULL, check=False)
    return name, ran.stdout, ran.returncode


def run_all():
    names = sorted(os.path.basename(path)[:-len(".py")] for path in glob.glob(os.path.join(HERE, "test_*.py")))
    # The slow ones first, so that none is left over at the end.
    names.sort(key=lambda name: (name not in SLOW, -os.path.getsize(os.path.join(HERE, name + ".py"))))
    count = failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run_file, name) for name in names]):
            name, output, status = done.result()
            failed += status != 0
            if status and not re.search(r"^not ok", output, re.M):
                output += f"not ok 0 - {name} ended with status {status}\n"
            for line in output.splitlines():
                if re.match(r"(not )?ok \d", line):
                    count += 1
                    line = re.sub(r"ok \d+", f"ok {count}", line, count=1)
                print(line, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]) if len(sys.argv) > 1 else run_all())
