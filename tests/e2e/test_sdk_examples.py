"""The examples for the Agent SDK do what their README says."""

import json
import os
import subprocess
import unittest

from rig import AWL, PATIENCE, Modelled

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "../../examples/agent-sdk")
SDK = os.path.realpath(os.environ.get("AWL_AGENT_SDK", os.path.join(HERE, "../../.deps/agent-sdk")))


@unittest.skipUnless(os.path.exists(os.path.join(SDK, "sdk.mjs")), "the Agent SDK is not there")
class Examples(Modelled):
    def example(self, name, *args, answers=""):
        """Runs an example as its README says, with the SDK where npm would install it."""
        folder = os.path.join(self.root, "example")
        os.makedirs(os.path.join(folder, "node_modules/@anthropic-ai"), exist_ok=True)
        link = os.path.join(folder, "node_modules/@anthropic-ai/claude-agent-sdk")
        if not os.path.exists(link):
            os.symlink(SDK, link)
        path = os.path.join(folder, name)
        with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file, open(path, "w", encoding="utf-8") as copy:
            copy.write(file.read())
        ran = subprocess.run(["node", path, *args], input=answers, cwd=self.cwd, text=True, capture_output=True,
                             timeout=PATIENCE, check=False,
                             env={**self.environment(**self.modelled(AWL=AWL)), "PATH": os.environ["PATH"]})
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran

    def test_a_question_is_answered_at_the_terminal(self):
        for answer, made in (("n\n", False), ("y\n", True)):
            self.serve('reply\n  tool Bash {"command": "touch made"}\nreply\n  text "It is done."\n')
            ran = self.example("fix.mjs", "make it", answers=answer)
            self.assertEqual((ran.stdout, os.path.exists(self.path("made"))), ("It is done.\n", made))
            self.assertIn('Bash {"command":"touch made"}\nAllow?', ran.stderr)
            self.assertIn("2 turns, $", ran.stderr)

    def test_an_answer_is_data(self):
        self.write("main.c", "int main;\n")
        found = {"problems": [{"line": 1, "text": "main is not a function"}]}
        self.serve('reply\n  tool Read {"file_path": "main.c"}\n'
                   f'reply\n  tool StructuredOutput {json.dumps(found)}\n')
        self.assertEqual(self.example("review.mjs", "main.c").stdout, "1: main is not a function\n")


if __name__ == "__main__":
    unittest.main()
