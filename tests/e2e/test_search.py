"""The tools that search, through the whole program: with ripgrep and without, in trees
that are not nice."""

import json
import os
import unittest

from rig import Modelled

SEARCHES = """\
reply
  tool Glob {"pattern": "**/*.c"}
  tool Grep {"pattern": "needle"}
  tool Grep {"pattern": "needle", "output_mode": "content", "-C": 1}
  tool Grep {"pattern": "needle", "output_mode": "count", "glob": "*.{c,h}"}
  tool LS {"ignore": ["*.h"]}
reply
  text "Done."
"""
LOCKED = "\n[Some files or directories could not be read.]"
NOTE = "\n[ripgrep (rg) is not installed, so awl used a slower built-in search;"


class Search(Modelled):
    def put(self, name, text, age):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        self.write(name, text)
        os.utime(self.path(name), (1700000000 - age,) * 2)

    def results(self, **env):
        """What the model was told, call by call."""
        self.serve(SEARCHES)
        ran = self.print("search", "--tools", "Glob,Grep,LS", "--output-format", "stream-json",
                         "--verbose", **env)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        blocks = [block for event in events if event["type"] == "user"
                  for block in event["message"]["content"]]
        # Results come as the calls end.
        calls = [block["id"] for event in events if event["type"] == "assistant"
                 for block in event["message"]["content"] if block["type"] == "tool_use"]
        blocks.sort(key=lambda block: calls.index(block["tool_use_id"]))
        self.assertEqual([block.get("is_error", False) for block in blocks], [False] * 5, blocks)
        # ripgrep knows of src/locked, unless it is run by root.
        return [block["content"].replace(LOCKED, "") for block in blocks]

    def plant(self):
        self.put("src/a.c", "one\nneedle\nthree\n", 3)
        self.put("src/deep/b.c", "needle needle\n", 2)
        self.put("src/b.h", "a needle\n", 1)
        self.put("out/c.c", "needle\n", 0)
        self.put(".gitignore", "out/\n", 9)
        os.symlink("..", self.path("src/loop"))
        os.mkdir(self.path("src/locked"), 0)
        self.addCleanup(os.chmod, self.path("src/locked"), 0o700)

    def check(self, results):
        self.assertEqual(results[0], f"{self.path('src/deep/b.c')}\n{self.path('src/a.c')}")
        self.assertEqual(results[1], "Found 3 files\nsrc/b.h\nsrc/deep/b.c\nsrc/a.c")
        self.assertEqual(results[2], "src/a.c-1-one\nsrc/a.c:2:needle\nsrc/a.c-3-three\n--\n"
                                     "src/b.h:1:a needle\n--\nsrc/deep/b.c:1:needle needle")
        # A glob that matches outranks what .gitignore says of the file, not of its directory.
        self.assertEqual(results[3], "src/a.c:1\nsrc/b.h:1\nsrc/deep/b.c:1\n\n3 matches in 3 files")
        self.assertEqual(results[4], f"{self.cwd}/\n  .gitignore\n  src/\n    a.c\n    deep/\n"
                                     "      b.c\n    locked/\n    loop@")

    def test_what_is_searched_for_is_found(self):
        self.plant()
        results = self.results()
        self.assertNotIn(NOTE, "".join(results))
        self.check(results)

    def test_without_ripgrep_the_same_is_found_and_it_is_said(self):
        self.plant()
        results = self.results(PATH="/nonexistent")
        self.assertEqual([NOTE in result for result in results], [False, True, True, True, False])
        self.check([result.split(NOTE)[0] for result in results])


if __name__ == "__main__":
    unittest.main()
