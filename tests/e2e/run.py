#!/usr/bin/env python3
"""Runs the end-to-end tests (tests/e2e/test_*.py) and reports in TAP.

AWL_BUILD names the build directory to test. Arguments select tests whose
name contains one of them.
"""

import os
import signal
import sys
import unittest

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


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)
    sys.dont_write_bytecode = True
    tests = list(flatten(unittest.defaultTestLoader.discover(here, pattern="test_*.py")))
    wanted = [t for t in tests if len(sys.argv) < 2 or any(w in t.id() for w in sys.argv[1:])]
    signal.signal(signal.SIGALRM, give_up)
    result = TapResult()
    unittest.TestSuite(wanted).run(result)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
