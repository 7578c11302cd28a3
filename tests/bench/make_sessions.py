#!/usr/bin/python3
"""Write many sessions of the shape that a real user has: make_sessions.py DIR SESSIONS MEGABYTES [CWD].

Most of the bytes of real transcripts are results of tools, so most of them are here. The same arguments
write the same bytes."""

import json
import os
import random
import re
import sys

WORDS = """parser token buffer socket retry session cache layer window render screen cursor branch commit merge test flow
error timeout request response header stream event queue worker thread lock index search result value number string array
build compile link module function struct pointer memory leak overflow check guard limit budget model prompt answer tool""".split()


def uuid(random_):
    return "%08x-%04x-4%03x-8%03x-%012x" % (random_.getrandbits(32), random_.getrandbits(16), random_.getrandbits(12),
                                            random_.getrandbits(12), random_.getrandbits(48))


def text(random_, n):
    return " ".join(random_.choice(WORDS) for _ in range(n))


def write_session(path, cwd, random_, number, size, results):
    session, parent, written, at = os.path.basename(path)[:-6], None, 0, 0
    with open(path, "w", encoding="utf-8") as out:
        while written < size or at < 4:
            role = "user" if at % 2 == 0 else "assistant"
            if at == 0:
                content = f"Please fix the {text(random_, 6)} number{number}"
            elif role == "user":
                content = [{"type": "tool_result", "tool_use_id": f"t{at}", "content": random_.choice(results)}]
            else:
                content = [{"type": "text", "text": text(random_, 40)},
                           {"type": "tool_use", "id": f"t{at + 1}", "name": "Bash", "input": {"command": f"make {text(random_, 4)}"}}]
            record = {"parentUuid": parent, "isSidechain": False, "type": role, "cwd": cwd, "sessionId": session,
                      "gitBranch": "main" if number % 3 else "topic", "uuid": uuid(random_), "timestamp": "2026-01-01T00:00:00.000Z",
                      "message": {"role": role, "content": content}}
            if role == "assistant":
                record["message"]["id"], record["message"]["model"] = f"msg_{at}", "m"
            parent = record["uuid"]
            line = json.dumps(record) + "\n"
            out.write(line)
            written += len(line)
            at += 1
    os.utime(path, (1700000000 + number, 1700000000 + number))


def main():
    directory, sessions, megabytes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    random_ = random.Random(7)
    results = [text(random_, random_.choice((20, 200, 2000, 6000))) for _ in range(200)]
    size = megabytes * 1000000 // sessions
    here = os.path.realpath(sys.argv[4]) if len(sys.argv) > 4 else "/home/u/project"
    for number in range(sessions):
        cwd = here if number % 20 == 0 else f"{here}{number % 20}"
        project = os.path.join(directory, "projects", re.sub("[^A-Za-z0-9]", "-", cwd))
        os.makedirs(project, exist_ok=True)
        write_session(os.path.join(project, uuid(random_) + ".jsonl"), cwd, random_, number, random_.randint(size // 2, size * 3 // 2), results)


main()
