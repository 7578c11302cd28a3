"""What the file tools do to files, seen from outside."""

import json
import os

from rig import Modelled

PARTS = """\
reply
  tool Read {"file_path": "big.txt", "offset": 10, "limit": 5}
reply
  tool Write {"file_path": "big.txt", "content": "all gone"}
reply
  expect tool_result contains "read only partially"
  tool Edit {"file_path": "big.txt", "old_string": "line 90", "new_string": "changed"}
reply
  expect tool_result contains "is at line 90, which you have not seen"
  tool Edit {"file_path": "big.txt", "old_string": "line 12", "new_string": "changed"}
reply
  expect tool_result contains "updated successfully"
  text "Done."
"""

EDIT = """\
reply
  tool Read {"file_path": "link"}
reply
  tool Edit {"file_path": "link", "old_string": "old word", "new_string": "new word"}
reply
  text "Done."
"""


class Files(Modelled):
    def work(self, script):
        self.serve(script)
        ran = self.print("go", "--permission-mode", "acceptEdits", "--output-format", "stream-json", "--verbose")
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        self.assertEqual(events[-1].get("result"), "Done.", ran.stdout + ran.stderr)
        return events

    def test_of_a_file_known_in_part_only_that_part_is_changed(self):
        lines = [f"line {i}\n" for i in range(1, 101)]
        self.write("big.txt", "".join(lines))
        self.work(PARTS)
        lines[11] = "changed\n"
        self.assertEqual(self.read("big.txt"), "".join(lines))

    def test_an_edited_file_keeps_its_links_mode_and_attributes(self):
        path = self.write("file", "an old word\n")
        os.chmod(path, 0o751)
        os.setxattr(path, "user.note", b"kept")
        os.link(path, self.path("other"))
        os.symlink("file", self.path("link"))
        before = os.stat(path)
        events = self.work(EDIT)
        after = os.stat(path)
        self.assertEqual(self.read("other"), "an new word\n")
        self.assertEqual(os.readlink(self.path("link")), "file")
        self.assertEqual((before.st_ino, before.st_mode, before.st_nlink, before.st_uid),
                         (after.st_ino, after.st_mode, after.st_nlink, after.st_uid))
        self.assertEqual(os.getxattr(path, "user.note"), b"kept")
        self.assertEqual(sorted(os.listdir(self.cwd)), ["file", "link", "other"])
        told = [event["tool_use_result"] for event in events if event["type"] == "user"][-1]
        self.assertEqual(told["structuredPatch"][0]["lines"], ["-an old word", "+an new word"])
        self.assertEqual(told["awlWordDiff"],
                         [{"hunk": 0, "oldLine": 0, "newLine": 1, "old": [[3, 6]], "new": [[3, 6]]}])
