"""Measures the pages, and prints a Markdown table: `scripts/bench web`.

Each figure stands beside the limit that it must keep. nginx serves the same files in the same run,
to show what this machine can do.
"""

import http.client
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import screen

HOLDFAST = os.environ["HOLDFAST_PROGRAM"]
WEB = os.environ["HOLDFAST_WEB"]
ROOT = Path(__file__).resolve().parents[2]
RECORDINGS = 100_000
SEEN = 1_000
CRAVINGS = 100_000
PLAYERS = 200
ROUNDS = 3


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


class Server:
    """`holdfast serve`, and the cookie of a browser that opened its link."""

    def __init__(self, library):
        begin = time.perf_counter()
        self.process = subprocess.Popen(
            [HOLDFAST, "serve", "--quiet", "--plain-host", "--library", library],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "HOLDFAST_WEB": WEB})
        link = self.process.stdout.readline().strip()
        self.seconds = time.perf_counter() - begin
        self.origin, path = re.match(r"(http://[^/]+)(/.*)", link).groups()
        self.host, port = self.origin.removeprefix("http://").split(":")
        self.port = int(port)
        self.link = link
        self.path = path

    def login(self):
        connection = self.connection()
        connection.request("GET", self.path)
        answer = connection.getresponse()
        answer.read()
        self.cookie = answer.getheader("Set-Cookie").split(";")[0]

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port)

    def memory(self):
        """What it keeps in memory, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1000

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


class Nginx:
    """nginx on a port of its own, which serves a folder."""

    def __init__(self, folder, root):
        self.port = free_port()
        configuration = Path(folder, "nginx.conf")
        configuration.write_text(
            f"daemon off; pid {folder}/nginx.pid; error_log stderr; user root;\n"
            "worker_processes auto;\n"
            "events { worker_connections 1024; }\n"
            "http { access_log off; sendfile on;\n"
            f"server {{ listen 127.0.0.1:{self.port}; root {root}; }} }}\n")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen(
            [program, "-c", str(configuration)], stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("nginx did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def wrk(url, *headers, connections=32):
    """Requests a second, and bytes a second."""
    text = run("wrk", "-t", "1", "-c", str(connections), "-d", "4s", "--timeout", "30s",
               *[word for header in headers for word in ("-H", header)], url)
    if "Non-2xx" in text or "Socket errors" in text:
        raise RuntimeError(text)
    units = {"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
    number, unit = re.search(r"Transfer/sec:\s+([\d.]+)(\w+)", text).groups()
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), float(number) * units[unit]


def medians(measure, other):
    """The medians of two measurements that are made in turn."""
    pairs = [(measure(), other()) for _ in range(ROUNDS)]
    ours, theirs = zip(*pairs)
    return statistics.median(ours), statistics.median(theirs)


def row(what, ours, target, reached, theirs=""):
    verdict = "reached" if reached else "**not reached**"
    print(f"| {what} | {ours} | {theirs} | {target} | {verdict} |", flush=True)


@contextmanager
def serving(library):
    """A server, and its link is open."""
    server = Server(library)
    try:
        server.login()
        yield server
    finally:
        server.stop()


def page_seconds(connection, server, path, rounds=100):
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        connection.request("GET", path, headers={"Cookie": server.cookie})
        answer = connection.getresponse()
        body = answer.read()
        times.append(time.perf_counter() - begin)
        assert answer.status == 200 and len(body) > 3_000, (answer.status, len(body))
    return statistics.median(times)


def players_memory(server, path):
    """The memory while many players have begun to read a recording and wait."""
    players = []
    for _ in range(PLAYERS):
        player = socket.create_connection(("127.0.0.1", server.port))
        player.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {server.host}:{server.port}\r\n"
            f"Cookie: {server.cookie}\r\nRange: bytes=0-\r\n\r\n".encode())
        assert b"206" in player.recv(4096)
        players.append(player)
    time.sleep(3)
    memory = server.memory()
    for player in players:
        player.close()
    return memory


def flooded_seconds(server):
    """The time of Home in seconds while others send requests without a link's cookie."""
    connection = server.connection()
    with subprocess.Popen(
            ["wrk", "-t", "1", "-c", "64", "-d", "10s",
             "-H", f"Host: {server.host}:{server.port}",
             f"http://127.0.0.1:{server.port}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as flood:
        time.sleep(1)
        seconds = page_seconds(connection, server, "/", rounds=20)
        assert flood.poll() is None, "the flood ended too soon"
        flood.terminate()
    return seconds


def measure_serving(folder):
    """Measures the server with a large library."""
    library = f"{folder}/library"
    print("A catalog is made, and a clip…", file=sys.stderr)
    run(str(ROOT / "scripts/make-catalog"), library, "--recordings", str(RECORDINGS))
    clip = f"{folder}/clip.mp4"
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=30:d=60",
        "-f", "lavfi", "-i", "sine=d=60", "-vf", "noise=alls=20:allf=t",
        "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "24M", "-c:a", "aac", clip)
    run(HOLDFAST, "import", "--quiet", clip, "--library", library)
    media = max(Path(library, "Recordings").glob("*.mov"), key=lambda file: file.stat().st_size)
    video = re.search(r"video_(.*)\.mov", media.name)[1]
    thumbnail = f"Recordings/Thumbnails/video_{video}_thumb.jpg"

    starts = []
    for _ in range(7):
        server = Server(library)
        starts.append(server.seconds)
        server.stop()
    start = statistics.median(starts)
    row("start", f"{start:.2f} s", "0.2 s", start < 0.2)
    server, nginx = Server(library), Nginx(folder, library)
    try:
        server.login()
        connection = server.connection()
        seconds = page_seconds(connection, server, "/recordings") * 1000
        row(f"the first page of {RECORDINGS:,} recordings", f"{seconds:.1f} ms", "20 ms",
            seconds < 20)
        cookie, host = f"Cookie: {server.cookie}", f"Host: {server.host}:{server.port}"
        ours, theirs = medians(
            lambda: wrk(f"http://127.0.0.1:{server.port}/thumbnails/{video}", cookie, host)[0],
            lambda: wrk(f"http://127.0.0.1:{nginx.port}/{thumbnail}")[0])
        row("thumbnails", f"{ours:,.0f} a second", "10,000 a second", ours >= 10_000,
            f"{theirs:,.0f} a second")
        ours, theirs = medians(
            lambda: wrk(
                f"http://127.0.0.1:{server.port}/media/{video}", cookie, host,
                connections=4)[1],
            lambda: wrk(
                f"http://127.0.0.1:{nginx.port}/Recordings/{media.name}", connections=4)[1])
        megabytes = media.stat().st_size / 1e6
        row(f"a recording of {megabytes:.0f} MB", f"{ours / 1e9:.2f} GB/s", "1 GB/s",
            ours >= 1e9, f"{theirs / 1e9:.2f} GB/s")
    finally:
        server.stop()
        nginx.stop()
    with serving(library) as server:
        memory = players_memory(server, f"/media/{video}")
        row(f"a server with {PLAYERS} open players", f"{memory:.0f} MB", "60 MB", memory < 60)
        seconds = screen.slow_page_seconds(server)
        row("Home at 1.6 Mbit/s and 150 ms", f"{seconds:.2f} s", "1.5 s", seconds < 1.5)


def measure_screen(folder):
    """Measures what a person sees, with the libraries that persons have."""
    library = f"{folder}/seen"
    run(str(ROOT / "scripts/make-catalog"), library, "--recordings", str(SEEN), "--files",
        "--cravings", str(CRAVINGS), "--usage", "10000")
    # Real pictures, which the browser decodes.
    thumbnails = sorted(
        Path(library, "Recordings/Thumbnails").iterdir(), key=lambda file: file.stat().st_size)
    picture = thumbnails[-1].read_bytes()
    video = re.search("video_(.*)_thumb", thumbnails[-1].name)[1]
    for file in thumbnails:
        file.write_bytes(picture)
    with serving(library) as server:
        for name, paint, shift, pause in screen.views(server, video):
            row(f"{name}: first paint", f"{paint:.2f} s", "0.3 s", paint < 0.3)
            row(f"{name}: layout shift", f"{shift:.3f}", "0", shift == 0)
            row(f"{name}: longest task", f"{pause:.0f} ms" if pause else "under 50 ms", "50 ms",
                pause <= 50)
        connection = server.connection()
        seconds = page_seconds(connection, server, "/progress?days=all", rounds=5)
        row(f"Progress over {CRAVINGS:,} cravings", f"{seconds:.2f} s", "1 s", seconds < 1)
        seconds = flooded_seconds(server) * 1000
        row("Home during a flood of requests without a link", f"{seconds:.0f} ms", "200 ms",
            seconds < 200)


def main():
    parts = {"serving": measure_serving, "screen": measure_screen}
    chosen = sys.argv[1:] or list(parts)
    if not set(chosen) <= set(parts):
        sys.exit("usage: scripts/bench web [serving] [screen]")
    print("| | holdfast | nginx | limit | |\n| --- | --- | --- | --- | --- |", flush=True)
    for part in chosen:
        with tempfile.TemporaryDirectory(prefix="holdfast-bench-web.") as folder:
            parts[part](folder)


main()
