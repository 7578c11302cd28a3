"""The example that people copy: an agent inside another program, with a tool of its own."""

import os
import subprocess

from rig import BUILD, PATIENCE, Modelled

EMBED = os.path.abspath(os.path.join(BUILD, "examples/embed"))

SCRIPT = """
reply when tool_result contains "through a hem"
  text "A \\"bodkin\\" is a blunt\\nneedle: C:\\\\new."
reply when no result_of and prompt contains bodkin
  tool lookup {"word": "bodkin"}
fail 400 invalid_request_error "no such thing"
"""


class Embed(Modelled):
    def embed(self, *args, **env):
        return subprocess.run([EMBED, *args], capture_output=True, text=True, timeout=PATIENCE,
                              cwd=self.cwd, env=self.environment(**env))

    def test_the_agent_uses_the_tool_of_the_program_around_it(self):
        self.serve(SCRIPT)
        ran = self.embed(**self.modelled())
        self.assertEqual((ran.stdout, ran.stderr, ran.returncode),
                         ('-> lookup {"word":"bodkin"}\nA "bodkin" is a blunt\nneedle: C:\\new.\n', "", 0))
        self.assertEqual([tool["name"] for tool in self.requests()[0]["tools"]], ["lookup"])

    def test_a_failure_is_told_and_is_the_status(self):
        self.serve(SCRIPT)
        ran = self.embed("something else", **self.modelled())
        self.assertIn("no such thing", ran.stdout)
        self.assertEqual((ran.stderr, ran.returncode), ("", 1))

    def test_without_a_model_the_built_in_script_answers_and_nothing_is_kept(self):
        ran = self.embed()
        self.assertIn("built-in replay", ran.stdout)
        self.assertEqual((ran.stderr, ran.returncode), ("", 0))
        self.assertEqual((os.listdir(self.home), os.listdir(self.cwd)), ([], []))
