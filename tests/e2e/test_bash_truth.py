"""What awl allows unasked, bash does: it runs nothing but the programs that stand there and
writes nothing. A few hundred command lines are run for real in a throw-away project."""

import hashlib
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest

from test_why import Project, cases

SEARCH = ["grep -n text {0}", "grep -c text {0} || true", "grep -v x {0} | sort -u", "head -n 2 {0}",
          "tail -c 3 {0}", "wc -lwc {0}", "cat -n {0}", "sort -r {0} | uniq -c", "cut -c1-2 {0}",
          "sed -n '1,3p' {0}", "sed 's/t/T/g;y/x/X/' {0}", "awk '{{ print NF, $1 }}' {0}",
          "tr a-z A-Z < {0}", "nl {0}", "od -c {0} | head -2", "diff {0} {0}", "cmp {0} {0} && echo same",
          "stat -c %s {0}", "md5sum {0} | cut -d' ' -f1", "tac {0}", "rev {0}", "fold -w 2 {0}",
          "base64 {0}", "test -s {0} && echo full", "[ -f {0} ]", "[[ -r {0} ]] && echo read",
          "git log --oneline -- {0}", "git diff -- {0}", "git status --short {0}",
          "while read -r line; do echo \"$line\"; done < {0}", "echo \"$(cat {0})\"",
          "cat <(cat {0}) 2>/dev/null", "timeout 5 cat {0}", "x=$(wc -l < {0}); echo \"$x\"",
          "basename {0}; dirname {0}", "find {0} -type f", "du -a {0}", "ls -l {0}", "comm {0} {0}"]
FILES = ["README.md", "src/a.c", "./data.txt", "'src/main.c'", "src/*.c", "\"$PWD\"/README.md"]
PLACES = ["{0}", "({0})", "{{ {0}; }}", "if true; then {0}; fi", "for i in 1 2; do {0}; done",
          "cd src && cd .. && {0}", "f() {{ {0}; }}; f", "true && {0} || true", "{0} | cat",
          "bash -c 'true'; {0}", "! {0}", "case x in x) {0};; esac", "{0} 2>&1 >/dev/null"]


# What tells its version may be a script that looks for the program that does.
VERSION = re.compile(r"[- ]version\b|\b(cargo|java|node|npm|perl|pip3?|python3|ruby|rustc|ssh) -[vV]\b")

# They do not end, depend on what the machine has, or are scripts or ask others for help.
UNFIT = re.compile(r"tail -f|while true|sleep|docker|--help|nproc|ps |submodule|[ef]grep|tar -|"
                   r"^(deno|php|python|ruby) -|^(apt-cache|lsb_release|man|pip) ")


def corpus():
    """Hand-made ones from the tables, and templates."""
    tables = ("shell.jsonl", "shell_more.jsonl", "syntax.jsonl", "daily.jsonl")
    lines = [c["command"] for name in tables for c in cases(name)
             if c["expected"] == "allow" and not (set(c) & {"allow", "mode", "deny", "ask"})]
    lines = [line for line in lines if not VERSION.search(line) and not UNFIT.search(line)]
    lines += [search.format(name) for search in SEARCH for name in FILES]
    lines += [place.format(SEARCH[i % len(SEARCH)].format("README.md"))
              for i, place in enumerate(PLACES * 3)]
    return list(dict.fromkeys(lines))


CHANGES = ("unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat "
           "chmod fchmod fchmodat chown fchown fchownat truncate ftruncate mknod mknodat utimensat "
           "setxattr mount").split()
OPENS = ["open", "openat", "creat"]
# Devices; and git's own note of what it has looked at.
HARMLESS = re.compile(r'"(/dev/(null|tty|stdout|stderr|fd/\d+)|[^"]*\.git/index(\.lock)?)"')


def has_strace():
    try:
        return subprocess.run(["strace", "-f", "-o", "/dev/null", "true"], capture_output=True,
                              check=False).returncode == 0
    except FileNotFoundError:
        return False


def whole_calls(log):
    """The calls in what strace -f has written: one that another interrupted is in two pieces."""
    begun = {}
    for text in log:
        pid, call = text.split(None, 1)
        if call.endswith("<unfinished ...>\n"):
            begun[pid] = call[:-len("<unfinished ...>\n")]
            continue
        resumed = re.match(r"<\.\.\. \w+ resumed>", call)
        yield begun.pop(pid, "") + call[resumed.end():] if resumed else call
    yield from begun.values()  # which it did not live to see


class Lines:
    """Made-up scripts about variables, loops and what hides in them, by chance but always the
    same. "MADE" is what a script must not leave behind, and SECRET what it must not show."""

    VALUES = ["README.md", "src/a.c", "src", "1", "12", "$((i+1))", "'a[$(touch MADE)]'", "'`touch MADE`'",
              "'-v a[$(touch MADE)]'", "'touch MADE'", "'w MADE'", "'1e touch MADE'", ".env", "../../x",
              "mylink", "link-out/x", "*", "src/*", "'README.md .env'", "-n", "-o", "$f", "\"$i\"", ".."]
    NAMES = ["f", "i", "n", "a", "RANDOM", "OPTIND", "IFS"]
    ARITHMETIC = ["{}", "{}+1", "{}++", "{}=1", "a[{}]", "1+${}", "${{{}}}*2", "{}<3", "!{}", "${{#{}}}"]
    WORDS = ["${}", "\"${}\"", "${{{}}}", "src/${}", "\"${}\"/*", "${}*", "${{{}##*/}}", "-${}", "${{#{}}}",
             "${{{}[i]}}", "${{{}:i}}", "${{{}@Q}}", "${{{}@P}}", "${{!{}}}", "${{{}:=2}}", "${{!{}[@]}}"]
    USES = ["cat {}", "head -n {} README.md", "sed -n {} README.md", "grep -n . {}", "cat < {}", "sort {}",
            "[ -f {} ] && cat {}", "[ {} -lt 3 ]", "[[ {} -eq 1 ]]", "[[ -v {} ]]", "echo {}", "awk 1 {}",
            "(cd {} && cat a.c)", "touch {}", "ls > {}", "bash -c 'cat {}'", "timeout 5 cat {}", "uniq {}",
            "printf '%s' {}", "case {} in *) cat {};; esac", "git log --oneline -- {}"]

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def pick(self, among):
        return self.rng.choice(among)

    def name(self):
        return self.pick(self.NAMES if self.rng.random() < 0.3 else self.NAMES[:4])

    def value(self):
        return self.pick(self.VALUES if self.rng.random() < 0.4 else self.VALUES[:5])

    def word(self):
        return self.pick(self.WORDS).format(self.name())

    def use(self):
        return re.sub(r"\{\}", lambda _: self.word(), self.pick(self.USES))

    def statement(self, depth):
        how = self.rng.randrange(10)
        sums = self.pick(self.ARITHMETIC).format(self.name())
        if how < 3 and depth < 3:
            words = " ".join(self.value() for _ in range(self.rng.randrange(1, 4)))
            return f"for {self.name()} in {words}; do {self.script(depth + 1)}; done"
        if how == 3:
            return f"{self.name()}={self.value()}"
        if how == 4:
            return self.pick([f"echo $(({sums}))", f"(({sums}))", f"a[{sums}]=1", f"a=([{self.name()}]=1)"])
        if how == 5:
            return self.pick(["read -r f < list.txt", "unset f", "cd src", f"printf -v f %s {self.value()}",
                              f"g() {{ {self.use()}; }}; g", f"RANDOM=({self.value()})"])
        return self.use()

    def script(self, depth=0):
        return "; ".join(self.statement(depth) for _ in range(self.rng.randrange(1, 4)))


class Truth(Project):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        git = ["git", "-C", cls.proj, "-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run([*git, "add", "README.md", "src", "data.txt"], check=True, env=cls.env())
        subprocess.run([*git, "commit", "-qm", "first"], check=True, env=cls.env())

    def allowed(self):
        lines = corpus()
        answers = self.ask([self.bash(n, line) for n, line in enumerate(lines)])
        found = [line for line, answer in zip(lines, answers)
                 if answer["decision"] == "allow" and not line.startswith("gh ")]  # gh asks its host
        self.assertGreaterEqual(len(found), 400)
        return found

    def snapshot(self):
        """All there is below home, but for what git notes down while it looks."""
        found = {}
        for folder, dirs, files in os.walk(self.home):
            for name in dirs + files:
                path = os.path.join(folder, name)
                if path.endswith((".git", ".git/index")):
                    continue
                info = os.lstat(path)
                data = b""
                if os.path.isfile(path) and not os.path.islink(path):
                    with open(path, "rb") as file:
                        data = file.read()
                found[path] = (info.st_mode, info.st_size, info.st_mtime_ns,
                               hashlib.sha256(data).hexdigest())
        return found

    def run_line(self, line, *before, **env):
        # Without an address git asks the network for the name of this machine.
        env["EMAIL"] = "me@example.org"
        subprocess.run([*before, "bash", "-c", line], stdin=subprocess.DEVNULL, capture_output=True,
                       cwd=self.proj, env={**self.env(), **env}, check=False, timeout=30)

    # Scripts of the system, and what they run.
    SCRIPTS = {"dpkg": {"dpkg-query"}, "gunzip": {"gzip", "sh"}, "zcat": {"gzip", "sh"},
               "zgrep": {"gzip", "grep", "sed", "sh"}}

    def named(self, line):
        """The names that stand in the text, what scripts of the system run, and bash itself."""
        names = set(re.findall(r"[\w.+\[-]+", line.replace("\\\n", ""))) | {"bash"}
        return names.union(*(self.SCRIPTS.get(name, set()) for name in names))

    def traced(self, line, log):
        self.run_line(line, "strace", "-f", "-qq", "-e", "signal=none", "-o", log, "-e",
                      "trace=execve,connect," + ",".join(OPENS + CHANGES))
        with open(log, encoding="utf-8", errors="replace") as file:
            return [call for call in whole_calls(file) if " = -1 " not in call]

    def check_call(self, line, call):
        name = call.split("(", 1)[0]
        if name == "execve":
            program = os.path.basename(call.split('"')[1])
            return program in self.named(line)
        if name == "connect":
            return "AF_INET" not in call
        if name in OPENS:
            writes = name == "creat" or re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)", call)
            return not writes or bool(HARMLESS.search(call))
        return name not in CHANGES or bool(HARMLESS.search(call))

    @unittest.skipUnless(has_strace(), "strace is not there, or may not trace")
    def test_what_is_allowed_runs_what_is_named_and_writes_nothing_says_the_kernel(self):
        wrong = []
        with tempfile.TemporaryDirectory() as logs:
            for line in self.allowed():
                calls = self.traced(line, os.path.join(logs, "log"))
                wrong += [f"{line!r}: {call.strip()}" for call in calls if not self.check_call(line, call)]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong[:40]))

    def test_what_is_allowed_leaves_every_file_as_it_was(self):
        """The same by what is left behind, and by programs that tell their names."""
        lines = self.allowed()
        before = self.snapshot()
        wrong = []
        with tempfile.TemporaryDirectory() as shims:
            log = os.path.join(shims, "log")
            self.make_shims(os.path.join(shims, "bin"))
            for line in lines:
                with open(log, "w", encoding="utf-8"):
                    pass
                self.run_line(line, PATH=os.path.join(shims, "bin"), SHIM_LOG=log)
                with open(log, encoding="utf-8") as file:
                    ran = set(file.read().split())
                wrong += [f"{line!r} ran {name}" for name in ran - self.named(line)]
        after = self.snapshot()
        wrong += [f"{path} was changed" for path in set(before.items()) ^ set(after.items())]
        self.assertEqual(wrong, [], "\n" + "\n".join(str(w) for w in wrong[:40]))

    def test_scripts_made_by_chance_run_nothing_and_tell_no_secret_when_they_are_allowed(self):
        for name in (".env", "../../x"):
            with open(os.path.join(self.proj, name), "w", encoding="utf-8") as file:
                file.write("SECRET\n")
        made = Lines(20261116)
        lines = list(dict.fromkeys(made.script() for _ in range(6000)))
        answers = self.ask([self.bash(n, line) for n, line in enumerate(lines)])
        allowed = [line for line, answer in zip(lines, answers) if answer["decision"] == "allow"]
        self.assertGreaterEqual(len(allowed), 300)
        before = self.snapshot()
        wrong = []
        for line in allowed:
            ran = subprocess.run(["bash", "-c", line], stdin=subprocess.DEVNULL, capture_output=True,
                                 cwd=self.proj, env=self.env(), check=False, timeout=30)
            if b"SECRET" in ran.stdout:
                wrong.append(f"{line!r} tells a secret")
        wrong += [f"{path} was changed" for path in set(before.items()) ^ set(self.snapshot().items())]
        self.assertEqual(wrong, [], "\n" + "\n".join(str(w) for w in wrong[:40]))

    def make_shims(self, folder):
        os.makedirs(folder)
        shim = os.path.join(folder, ".shim")
        with open(shim, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nname=${0##*/}\necho "$name" >> "$SHIM_LOG"\nPATH=/usr/local/bin:/usr/bin:/bin\n'
                       'export PATH\nexec "$name" "$@"\n')
        os.chmod(shim, 0o755)
        for place in ("/bin", "/usr/bin", "/usr/local/bin"):
            for name in os.listdir(place):
                target = os.path.join(folder, name)
                if shutil.which(name, path=place) and not os.path.lexists(target):
                    os.symlink(".shim", target)
