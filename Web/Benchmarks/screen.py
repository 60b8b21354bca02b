"""Measures what a person sees of the pages, by the browser's own timings."""

import re
import shutil
import statistics
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

ROUNDS = 5
# Kept from the page's beginning on. The third is the longest pause in milliseconds.
OBSERVER = """
window.seen = {shift: 0, pause: 0};
new PerformanceObserver(list => list.getEntries().forEach(entry => {
    if (!entry.hadRecentInput) seen.shift += entry.value;
})).observe({type: "layout-shift", buffered: true});
new PerformanceObserver(list => list.getEntries().forEach(entry => {
    seen.pause = Math.max(seen.pause, entry.duration);
})).observe({type: "longtask", buffered: true});
"""
# Scrolls as a person does, so that pictures come that are further down.
SCROLL = """async () => {
    for (let at = 0; at < document.body.scrollHeight; at += 400) {
        scrollTo(0, at);
        await new Promise(done => setTimeout(done, 30));
    }
}"""
PAINT = """performance.getEntriesByType("paint")
    .find(entry => entry.name == "first-contentful-paint").startTime / 1000"""


@contextmanager
def page_of(server, **options):
    """A page of a browser that has opened the server's link."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell"), args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 390, "height": 844}, **options)
        name, value = server.cookie.split("=", 1)
        context.add_cookies([{"name": name, "value": value, "url": server.origin}])
        yield context.new_page()
        browser.close()


def slow_page_seconds(server):
    """The time of Home in seconds on a slow mobile connection: 150 ms latency, 1.6 Mbit/s."""
    times = []
    for _ in range(ROUNDS):
        with page_of(server) as page:
            session = page.context.new_cdp_session(page)
            session.send("Network.enable")
            session.send("Network.emulateNetworkConditions", {
                "offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8,
                "uploadThroughput": 750_000 / 8})
            page.goto(server.origin + "/")
            times.append(page.evaluate(
                "performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000)
    return statistics.median(times)


def views(server, recording):
    """Yields each page's name, its seconds until the first paint, how much its contents shift, and
    its longest task in milliseconds (0 up to 50): medians of some views."""
    paths = {"Home": "/", "Recordings": "/recordings", "a player": f"/recordings/{recording}",
             "Progress": "/progress", "Settings": "/settings"}
    with page_of(server) as page:
        page.add_init_script(OBSERVER)
        page.goto(server.origin + "/settings")
        for name, path in paths.items():
            paints, shifts, pauses = [], [], []
            for _ in range(ROUNDS):
                page.goto(server.origin + path, wait_until="networkidle")
                paints.append(page.evaluate(PAINT))
                page.evaluate(SCROLL)
                page.wait_for_timeout(200)
                shifts.append(page.evaluate("seen.shift"))
                pauses.append(page.evaluate("seen.pause"))
            yield name, *map(statistics.median, (paints, shifts, pauses))
