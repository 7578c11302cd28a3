#!/usr/bin/env python3
"""Differential fuzzer for permission decisions.

Generates command lines from a grammar, asks `awl why --batch` about them, and lets real bash run the
allowed ones inside bubblewrap, in a scratch project with canaries. Reports every allowed line that had
an effect it must not have:

  ran       it ran a program or a text that the line hides (a file CANARY-RAN appears)
  wrote     it changed a file, or, where edits are allowed, one outside the project or a protected one
  read      it printed the contents of a secret, of a denied file or of a file outside the project

Each finding is cut down to the statements that are needed. Exit code 1: there are findings.

    script/fuzz-decisions [--seed N] [--count N] [--show]
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
AWL = os.path.abspath(os.path.join(os.environ.get("AWL_BUILD", os.path.join(HERE, "../../build/gcc")), "src/cli/awl"))

# The text of a payload differs from what it prints when it is evaluated.
RUN = '$(touch "$HOME/CANARY""-RAN")'
MODES = [
    {"mode": "default"},
    {"mode": "default", "deny": ["Read(secrets/**)"]},
    {"mode": "acceptEdits"},
    {"mode": "acceptEdits", "deny": ["Read(secrets/**)", "Edit(docs/**)"]},
    {"mode": "bypassPermissions", "deny": ["Read(secrets/**)", "Edit(docs/**)"]},
]

FILES = {
    "README.md": "text foo\n", "f": "foo\n", "list.txt": ".env\nsecrets/key.txt\n", "data.csv": "a,b\n",
    "src/a.c": "int foo;\n", "src/b.c": "int main;\n", "src/sub/deep.c": "foo\n", "docs/a.md": "foo\n",
    ".env": "CANARY-ENV\n", "secrets/key.txt": "CANARY-DENIED\n", "src/server.pem": "CANARY-ENV\n",
    "opts/--pre=evil": "foo\n", "opts/-o": "x\n", "opts/a": "foo\n", "my file.txt": "foo\n",
    ".mcp.json": "{}\n", "evil": "#!/bin/sh\ntouch \"$HOME/CANARY-RAN\"\n",
    "store/HEAD": "ref: refs/heads/main\n", "store/objects/x": "", "store/refs/x": "",
    "store/config": "[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ../evil\n",
    "wt/HEAD": "ref: refs/heads/main\n", "wt/commondir": "../shared\n",
    "wt/config.worktree": "[core]\n\tbare = false\n\tworktree = .\n",
    "shared/objects/x": "", "shared/refs/x": "",
    "shared/config": "[extensions]\n\tworktreeConfig = true\n[core]\n\tfsmonitor = ../evil\n",
    "bare/objects/x": "", "bare/refs/x": "",
    "bare/config": "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = ../evil\n",
    "../outside.txt": "CANARY-OUT\n",
}
LINKS = {"link": "../outside.txt", "srclink": "src", "envlink": ".env", "bare/HEAD": "refs/heads/main"}


class Project:
    """A home with a project in it, made anew whenever a line changed it."""

    def __init__(self):
        self.home = os.path.realpath(tempfile.mkdtemp(prefix="awl-fuzz-"))
        self.dir = os.path.join(self.home, "proj")
        self.make()

    def make(self):
        for name in os.listdir(self.home):
            path = os.path.join(self.home, name)
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
        for name, text in FILES.items():
            path = os.path.join(self.dir, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        os.chmod(os.path.join(self.dir, "evil"), 0o755)
        for name, to in LINKS.items():
            os.symlink(to, os.path.join(self.dir, name))
        git = ["git", "-c", "user.name=a", "-c", "user.email=b", "-C", self.dir]
        for args in (["init", "-q"], ["add", "README.md", "f", "src/a.c", "docs"], ["commit", "-qm", "x"]):
            subprocess.run(git + args, check=True, env=self.env(), capture_output=True)
        self.before = self.state()

    def env(self):
        return {"HOME": self.home, "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1",
                "API_TOKEN": "CANARY-ENV", "LC_ALL": "C"}

    def state(self):
        """What is in each file, but for what git refreshes on its own."""
        found = {}
        for at, dirs, files in os.walk(self.home):
            dirs.sort()
            for name in dirs + files:
                path = os.path.join(at, name)
                key = os.path.relpath(path, self.home)
                if os.path.islink(path):
                    found[key] = os.readlink(path)
                elif os.path.isfile(path):
                    with open(path, "rb") as file:
                        found[key] = file.read()
                else:
                    found[key] = None
        return {k: v for k, v in found.items() if not k.endswith((".git/index", ".git/index.lock"))}

    def run(self, line):
        """The output of bash, and the names of the files that changed."""
        cage = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
                "--bind", self.home, self.home, "--unshare-all", "--die-with-parent",
                "--chdir", self.dir, "timeout", "5", "bash", "-c", line]
        ran = subprocess.run(cage, env=self.env(), capture_output=True, stdin=subprocess.DEVNULL, check=False)
        after = self.state()
        changed = sorted(k for k in self.before.keys() | after.keys()
                         if self.before.get(k, "") != after.get(k, ""))
        if changed:
            self.make()
        return (ran.stdout + ran.stderr).decode("utf-8", "replace"), changed

    def close(self):
        shutil.rmtree(self.home)


class Grammar:
    """Lines that juggle with the state that a command runs in."""

    NAMES = ["x", "y", "_", "REPLY", "f", "n", "BASH_REMATCH", "OPTARG", "d"]
    READS = ["README.md", "f", "src/a.c", "src/*.c", "*.md", "docs/a.md", "my\\ file.txt", "opts/a", "data.csv"]
    SECRETS = [".env", "secrets/key.txt", "src/server.pem", "../outside.txt", "link", "envlink", ".e*",
               "secrets/*", "src/*.pem", "~/outside.txt", "$PWD/.env", "/proc/self/cwd/secrets/key.txt"]
    DIRS = ["src", "docs", "secrets", "store", "wt", "bare", "opts", "..", "srclink", "src/sub", "~", "-", "\"$d\"", "$x"]
    OPTIONS = ["--pre=./evil", "-o", "--output=out", "-exec ./evil {} +", "-fout", "--include=.env", "-g.env",
               "--open-files-in-pager=./evil", "-c core.pager=./evil", "--textconv", "-delete"]
    PAYLOADS = [f"'a[{RUN}]'", f"'x[{RUN}]'", f"'({RUN})'", "'--pre=./evil'", "'.env'", "'secrets/key.txt'", "./evil", "src", "1", "12"]
    WRAPPERS = ["time ", "time -p ", "command ", "builtin ", "command -p ", "! ", "nohup ", "timeout 5 ", "nice ",
                "env ", "\\", "command builtin ", "exec ", "stdbuf -o0 "]

    DECLARES = ["declare", "declare -a", "declare -A", "declare -r", "declare -i", "local", "local", "local -a", "local -r",
                "readonly", "readonly -a", "typeset -g", "export", "declare -x"]

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.focus = self.NAMES[0]

    def pick(self, items):
        return self.rng.choice(items)

    def name(self):
        """Mostly the same one in a line, so that its commands have to do with each other."""
        return self.focus if self.chance(75) else self.pick(self.NAMES)

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def lister(self):
        """A command that prints names."""
        return self.pick(["git ls-files", "git ls-files 'docs/*'", "git ls-files -o", "find src -name '*.c'",
                          "find docs", "find . -type f", f"ls {self.pick(self.READS)}", f"ls -t {self.file()}",
                          f"ls {self.pick(self.DIRS)}", "ls src/* docs/*", "ls -d src/*.c", "ls *link",
                          f"grep -rl{self.pick(['', 'c', 'n', 'Z', 'i', ' --include -l', ' --include=*.c'])} foo {self.pick(self.DIRS)}",
                          f"rg -l{self.pick(['', 'o', 'L', ' -r x', ' -0', ' --hidden', ' --files'])} foo {self.pick(['', 'src', 'secrets'])}"])

    def piped(self):
        """Names that go through filters to a reader."""
        filters = [self.pick(["sort", "sort -u", "sort -o out", "sort -k1", "head -3", "head -c5", "tail -n +2", "uniq",
                              "uniq -c", "grep src", "grep -v src", "grep -o ./", "grep -n f", "tr a /", "cut -c2-",
                              f"head {self.file()}", f"sort {self.file()}", f"grep foo {self.file()}"])
                   for _ in range(self.rng.randrange(3))]
        reader = self.pick(["cat", "wc -l", "head -1", "grep -h foo", "ls", "rm", "sed -n 1p", "cat .env"])
        return " | ".join([self.lister(), *filters, f"xargs{self.pick(['', ' -n1', ' -0'])} {reader}"])

    def value(self):
        name = self.name()
        return self.pick([f"${name}", f'"${name}"', f"${{{name}}}", f"$(({name}))", f'"${{{name}%x}}"',
                          f"${{{name}:-.env}}", f"${{{name}[0]}}", "$(cat list.txt)", '"$(head -1 list.txt)"'])

    def file(self):
        if self.chance(20):
            return self.value()
        return self.pick(self.SECRETS if self.chance(25) else self.READS)

    def reader(self):
        return self.pick([
            lambda: f"cat {self.file()}",
            lambda: f"head -n 3 {self.file()}",
            lambda: f"wc -l {self.file()} {self.file()}",
            lambda: f"grep foo {self.file()}",
            lambda: f"rg foo {self.pick(['*', '.', 'src', self.value(), 'opts/*'])}",
            lambda: f"sort {self.pick(['*.md', self.file(), 'opts/*'])}",
            lambda: f"grep -rn foo {self.pick(self.OPTIONS)} .",
            lambda: f"rg foo {self.pick(self.OPTIONS)} .",
            lambda: f"find . -name '*.c' {self.pick(self.OPTIONS)}",
            lambda: f"cat < {self.file()}",
            lambda: f"sed -n {self.pick(['1p', '1,3p', 'w out', '1r .env', 'e ./evil'])!r} {self.file()}",
            lambda: f"awk {self.pick(['{print}', 'END{print NR}', 'BEGIN{system(%s)}' % chr(34) * 2])!r} {self.file()}",
            lambda: f"xargs -a {self.file()} cat",
            lambda: f"{self.pick(['cat', 'head -1', 'wc -l', 'grep -h foo', 'tail -n'])} $({self.lister()})",
            self.piped,
            lambda: f"uniq {self.file()} {self.pick(['', 'out'])}",
            lambda: f"diff {self.file()} {self.file()}",
            lambda: "ls *",
            lambda: f"echo {self.value()}",
            lambda: f"test -f {self.file()} && cat {self.file()}",
        ])()

    def git(self):
        return "git " + self.pick([
            "status", "status --short", "diff", "log --oneline -3", "log -p -- 'secre[t]s/*'", "show HEAD:f",
            "diff --no-index f .env", "grep foo", "log -p -- ':!README.md'", "ls-files", "branch -a", "describe --always",
            "blame f", f"log {self.pick(self.OPTIONS)}", f"diff {self.file()}", f"-C {self.pick(self.DIRS)} status"])

    def setter(self):
        name, payload = self.name(), self.pick(self.PAYLOADS)
        return self.pick([
            f"{name}={payload}", f"{name}={payload}", f"printf -v{name} %s {payload}", f"printf -v {name} %s {payload}",
            f"read {name} <<< {payload}", f"read -ra{name} <<< {payload}", f"mapfile -t {name} <<< {payload}",
            f"read <<< {payload}", f"[[ {payload} =~ .* ]]", f": {payload}", f"getopts a: y -a {payload}",
            f"wait -p{name}", f"unset {name}", f"{name}+={payload}", f"local {name}={payload}", f"export {name}={payload}",
            f"{self.pick(self.DECLARES)} {name}={payload}", f"{self.pick(self.DECLARES)} {name}=\"${self.name()}\"",
            f"{self.pick(self.DECLARES)} {name}=({payload} [{self.name()}]={payload})", f"{name}[1]={payload}",
            f"declare -n {name}=y", f"eval {name}={payload}", f"{name}=({payload})", f"(({name}=1))",
            f": ${{{name}:={payload}}}", f"set -- {payload}", f"exec {{{name}}}< f", f"let {name}=1"])

    def use(self):
        name = self.name()
        return self.pick([f"echo $(({name}))", f"(({name}))", f"[[ {name} -eq 1 ]]", f"echo ${{a[{name}]}}",
                          f"[[ ${name} -gt 0 ]] && echo y", f"echo ${{f:{name}}}", f"test ${name} -eq 1",
                          f"cat ${name}", f"rg foo ${name} .", f"sort ${name} f", f"cat \"${name}\""])

    def maker(self):
        return self.pick([
            "touch -- --pre=./evil", "touch src/--pre=evil", "mkdir -p d/objects d/refs", "cp evil src/x", "mv f g",
            "cp -r store src/store", "echo x > out.txt", "ln -s ../outside.txt l", "cp .env copy", "touch docs/new.md",
            "mkdir d && cp .mcp.json d", "rm -f data.csv", "echo 'ref: refs/heads/main' > d/HEAD", "sed -i s/foo/bar/ f",
            "printf '[core]\\n\\tfsmonitor = ../evil\\n' > d/config", "echo hi > .mcp.json", "touch .git/hooks/x", "cat l"])

    def cd(self):
        return self.pick(["cd ", "cd ", "pushd ", "cd -P "]) + self.pick(self.DIRS)

    def simple(self):
        kind = self.rng.randrange(100)
        text = (self.reader() if kind < 30 else self.setter() if kind < 50 else self.use() if kind < 66
                else self.cd() if kind < 78 else self.git() if kind < 88 else self.maker())
        return self.pick(self.WRAPPERS) + text if self.chance(20) else text

    def statement(self):
        kind = self.rng.randrange(100)
        if kind < 76:
            return self.simple()
        body = "; ".join(self.simple() for _ in range(self.rng.randrange(1, 3)))
        if kind < 84:
            words = " ".join(self.pick(self.PAYLOADS + ["src/a.c", "f", "*.md"]) for _ in range(self.rng.randrange(1, 3)))
            if self.chance(40):
                words = f"$({self.lister()})"
            return f"for {self.name()} in {words}; do {body}; done"
        if kind < 88:
            function = self.pick(["f", "ls", "cat", "g"])
            body = "; ".join(self.pick([self.setter, self.setter, self.simple])() for _ in range(self.rng.randrange(1, 5)))
            return f"{function}() {{ {body}; }}" + self.pick(["", f"; {function}", f"; {function} {self.pick(self.PAYLOADS)}"])
        if kind < 91:
            return f"while {self.simple()}; do {body}; break; done"
        return self.pick(["({})", "{{ {}; }}", "if true; then {}; fi", "{} | cat", "echo $({})", "eval {!r}",
                          "bash -c {!r}", "{} &", "time {{ {}; }}", "case x in x) {};; esac"]).format(body)

    def line(self):
        self.focus = self.pick(self.NAMES)
        return [self.statement() for _ in range(self.rng.randrange(1, 5))]


def decide(project, questions):
    """Whether awl allows each (statements, policy)."""
    text = "".join(json.dumps({"id": n, "tool": "Bash", "cwd": project.dir, **policy,
                               "input": {"command": "\n".join(statements)}}) + "\n"
                   for n, (statements, policy) in enumerate(questions))
    ran = subprocess.run([AWL, "why", "--batch"], input=text, capture_output=True, text=True, check=False,
                         env=project.env(), cwd=project.dir)
    if ran.returncode != 0:
        sys.exit(f"awl why failed: {ran.stderr}")
    return [json.loads(answer)["decision"] == "allow" for answer in ran.stdout.splitlines()]


def is_allowed_change(name, policy):
    """Whether the policy lets a line change this file."""
    if policy["mode"] == "default":
        return False
    if not name.startswith("proj/"):
        return policy["mode"] == "bypassPermissions"
    if any(rule.startswith("Edit(docs") for rule in policy.get("deny", [])) and name.startswith("proj/docs/"):
        return False
    return not (".git/" in name or name.endswith(".mcp.json"))


def effects(project, statements, policy):
    """What an allowed line did that it must not do."""
    output, changed = project.run("\n".join(statements))
    found = set()
    if "CANARY-RAN" in changed and policy["mode"] != "bypassPermissions":
        found.add("ran")
    if any(not is_allowed_change(name, policy) for name in changed if name != "CANARY-RAN"):
        found.add("wrote")
    denied = any("secrets" in rule for rule in policy.get("deny", []))
    secret = policy["mode"] != "bypassPermissions"
    if (denied and "CANARY-DENIED" in output) or (secret and ("CANARY-ENV" in output or "CANARY-OUT" in output)):
        found.add("read")
    return found


def reduce(project, statements, policy, wanted):
    """Leaves out statements while the finding stays."""
    at = 0
    while len(statements) > 1 and at < len(statements):
        fewer = statements[:at] + statements[at + 1:]
        if decide(project, [(fewer, policy)])[0] and wanted & effects(project, fewer, policy):
            statements = fewer
        else:
            at += 1
    return statements


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--count", type=int, default=5000, help="lines to generate")
    parser.add_argument("--show", action="store_true", help="show the allowed lines")
    args = parser.parse_args()
    grammar, project = Grammar(args.seed), Project()
    questions = [(grammar.line(), grammar.pick(MODES)) for _ in range(args.count)]
    findings = ran = 0
    try:
        for (statements, policy), allowed in zip(questions, decide(project, questions)):
            if not allowed:
                continue
            ran += 1
            if args.show:
                print(json.dumps({**policy, "command": "\n".join(statements)}))
            found = effects(project, statements, policy)
            if found:
                findings += 1
                least = reduce(project, statements, policy, found)
                print(json.dumps({"effect": sorted(found), **policy, "command": "\n".join(least)}), flush=True)
    finally:
        project.close()
    print(f"seed {args.seed}: {args.count} lines, {ran} allowed and run, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
