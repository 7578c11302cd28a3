"""The examples that people copy: agents inside other programs, with tools of their own."""

import os
import subprocess

from rig import BUILD, PATIENCE, Modelled

SCRIPT = """
reply when tool_result contains "through a hem"
  text "A \\"bodkin\\" is a blunt\\nneedle: C:\\\\new."
reply when no result_of and prompt contains bodkin
  tool lookup {"word": "bodkin"}
fail 400 invalid_request_error "no such thing"
"""

MEASURES = """
reply when tool_result contains "31 degrees" and request contains "door: 19 degrees"
  usage input=10 output=7
  text "The roof is warmer."
reply when no result_of and prompt contains warmer
  usage input=10 output=7
  tool thermometer {"place": "door"}
  tool thermometer {"place": "roof"}
reply when prompt contains again
  usage input=10 output=3
  text "Once more."
fail 401 authentication_error "who are you?"
"""


class Example(Modelled):
    def example(self, name, *args, text=None, **env):
        return subprocess.run([os.path.abspath(os.path.join(BUILD, "examples", name)), *args],
                              capture_output=True, text=True, timeout=PATIENCE, input=text,
                              cwd=self.cwd, env=self.environment(**env))


class Embed(Example):
    def embed(self, *args, **env):
        return self.example("embed", *args, **env)

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

    def test_without_a_model_the_built_in_script_responds_and_nothing_is_kept(self):
        ran = self.embed()
        self.assertIn("built-in demo", ran.stdout)
        self.assertEqual((ran.stderr, ran.returncode), ("", 0))
        self.assertEqual((os.listdir(self.home), os.listdir(self.cwd)), ([], []))


class PollLoop(Example):
    def test_threads_finish_the_calls_of_a_program_with_its_own_loop(self):
        self.serve(MEASURES)
        ran = self.example("poll_loop", text="which is warmer?\n", **self.modelled())
        self.assertEqual((ran.stdout, ran.stderr, ran.returncode),
                         ('[thermometer {"place":"door"}]\n[thermometer {"place":"roof"}]\n'
                          "The roof is warmer.\n(14 tokens)\n", "", 0))

    def test_every_line_is_a_prompt_and_a_failure_has_a_code(self):
        self.serve(MEASURES)
        ran = self.example("poll_loop", text="again\n", **self.modelled())
        self.assertEqual((ran.stdout, ran.returncode), ("Once more.\n(3 tokens)\n", 0))
        ran = self.example("poll_loop", text="anything else\n", **self.modelled())
        self.assertIn("\ncredentials: ", ran.stdout)
        self.assertEqual((ran.stderr, ran.returncode), ("", 1))

    def test_no_input_means_no_turn(self):
        ran = self.example("poll_loop", text="")
        self.assertEqual((ran.stdout, ran.stderr, ran.returncode), ("", "", 0))
