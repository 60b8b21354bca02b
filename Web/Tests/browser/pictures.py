"""Makes the README's pictures: a made-up library after a month of use."""

import random
import subprocess
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, ROOT, Library, Server, Watched

TRIGGERS = ["Bored", "Anxious", "Tired", "Habit"]
CLIPS = [("Why I stopped", "0x7fa08f", "0xe8d9b8"), ("Thirty days", "0xd9a06a", "0x6f8fa8"),
         ("The lake, in the morning", "0x86a8b8", "0xf0e6d2")]


def clip(folder, number, dark, light):
    """Makes a quiet picture that moves a little, with a quiet sound."""
    path = f"{folder}/{number}.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i",
         f"gradients=s=640x480:c0={light}:c1={dark}:x0=0:y0=0:x1=640:y1=480:d=20:speed=0.002:r=10",
         "-f", "lavfi", "-i", "sine=220:d=20", "-c:v", "libx264", "-pix_fmt", "yuv420p",
         "-preset", "veryfast", "-c:a", "aac", "-shortest", path], check=True)
    return path


def fill(library, folder):
    for number, (title, dark, light) in enumerate(CLIPS):
        library.holdfast("import", "--title", title, clip(folder, number, dark, light))
        recording = library.one(f"SELECT id FROM recording WHERE title = '{title}'")
        for _ in range(9 - 3 * number):
            library.holdfast("play", recording, "--count-only")
    dice = random.Random(5)
    now = datetime.now().replace(minute=0, second=0, microsecond=0)
    for day in range(30):
        for _ in range(1 + (day > 18)):
            at = now - timedelta(days=day, hours=dice.randint(1, 12))
            library.holdfast(
                "craving", "log", "--intensity",
                str(min(10, max(1, 3 + day // 6 + dice.randint(-1, 1)))),
                "--trigger", dice.choice(TRIGGERS), "--at", at.isoformat(timespec="seconds"))
    for day in (13, 17, 20, 26):
        at = now - timedelta(days=day, hours=3)
        library.holdfast("usage", "log", "--method", "Vape", "--amount", "2", "--at",
                         at.isoformat(timespec="seconds"))


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        library = Library(f"{folder}/library")
        fill(library, folder)
        server = Server(library)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, path, size in (("home", "/", (390, 780)), ("progress", "/progress", (900, 780))):
            context = browser.new_context(
                viewport=dict(zip(("width", "height"), size)), color_scheme="light",
                device_scale_factor=1.5)
            watched = Watched(context, server)
            watched.login()
            watched.goto(path)
            watched.page.screenshot(path=Path(ROOT, "docs", f"web-{name}.png"))
            context.close()
            server.stop()
            server = Server(library)
        browser.close()
        server.stop()


main()
