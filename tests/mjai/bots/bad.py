"""Faulty bots, selected by the first argument; each appends its process id to the file of the second."""

import json
import os
import subprocess
import sys
import time


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def forever():
    while True:
        time.sleep(60)


def main():
    how = sys.argv[1]
    if len(sys.argv) > 2:
        with open(sys.argv[2], "a") as file:
            file.write(f"{os.getpid()}\n")

    if how == "never-starts":
        forever()
    if how == "dies-at-start":
        sys.exit("no model file")
    if how == "fails-at-start":
        import no_such_module  # noqa: F401
    if how == "complains-at-start":
        sys.exit("loading x\x1b[2J\nmore\nout of luck")
    if how == "starts-once":
        with open(sys.argv[2]) as file:
            if len(file.readlines()) > 1:
                sys.exit("once is enough")
    if how == "does-not-read":
        say('{"type":"none"}\n')
        forever()
    if how == "has-children":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open(sys.argv[2], "a") as file:
            file.write(f"{child.pid}\n")

    asked = games = 0
    for line in sys.stdin:
        events = json.loads(line)
        last = events[-1]
        games += events[0]["type"] == "start_game"
        asked += "possible_actions" in last
        over = last["type"] == "end_game"
        answer = '{"type":"none"}\n'
        drawn = [one["pai"] for one in events if one["type"] == "tsumo" and one["pai"] != "?"]
        if last["type"] == "tsumo" and drawn:
            answer = json.dumps({"type": "dahai", "pai": drawn[-1]}) + "\n"
        if how == "hangs" and asked == 5:
            forever()
        elif how == "slow-once" and asked == 3:
            time.sleep(1.2)
            asked += 1
        elif how == "dies" and asked == 4:
            print("out of memory", file=sys.stderr)
            os._exit(3)
        elif how == "lies" and asked % 2:
            answer = '{"type":"hora"}\n'
        elif how == "lies-about-tiles":
            answer = json.dumps({"type": "dahai", "pai": "9z" if asked % 2 else "?"}) + "\n"
        elif how == "writes-garbage" and asked:
            answer = ("\x00\xff{[", "[]", "null", '{"type":7}', "[" * 5000, '"none"')[asked % 6] + "\n"
        elif how == "writes-bytes" and asked:
            sys.stdout.buffer.write(b"\xff\xfe\x80\n")
            sys.stdout.buffer.flush()
            continue
        elif how == "one-endless-line" and asked == 3:
            while True:
                say("x" * 65536)
        elif how == "endless-lines" and asked == 3:
            say(answer)
            while True:
                say('{"type":"none"}\n' * 1000)
        elif how == "blank-lines" and asked == 3:
            while True:
                say("\n" * 65536)
        elif how == "endless-complaints" and asked == 3:
            while True:
                sys.stderr.write("y" * 65536)
        elif how == "says-too-much":
            answer += '{"type":"none"}\n' * 2
        elif how == "silent-at-the-end" and over:
            continue
        elif how in ("ends-after-a-game", "starts-once") and over:
            say(answer)
            sys.exit()
        say(answer)


if __name__ == "__main__":
    main()
