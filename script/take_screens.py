"""Takes a screenshot of each scene in a browser. Started by script/screens, which prepares the environment."""

import logging
import os
import socket
import subprocess
import sys
import tempfile
import time
from base64 import b64decode
from pathlib import Path

import chromium

ROOT = Path(__file__).resolve().parent.parent
INTO = ROOT / "docs" / "screens"
SIZES = {"dashboard": (1366, 768), "phone": (390, 844), "wall": (1366, 768), "report": (1024, 900)}
THEMES = ("dark", "light")
QUALITY = 88


def main():
    wanted = sys.argv[1:] or list(SIZES)
    program = chromium.path()
    if not program:
        sys.exit(chromium.MISSING)
    with tempfile.TemporaryDirectory() as data:
        os.environ.update(VESPER_DATA=data, DJANGO_SETTINGS_MODULE="config.settings", DJANGO_ALLOW_ASYNC_UNSAFE="1")
        sys.path[:0] = [str(ROOT), str(ROOT / "script")]
        import django

        django.setup()
        logging.disable(logging.WARNING)  # no live updates from this process: each page is opened fresh
        server, address = start()
        try:
            take(wanted, program, address)
        finally:
            server.terminate()
            server.wait(30)


def start():
    """Start the server on a free port, with an empty database. Returns (process, URL)."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "manage.py", "serve", "--prepare", "--no-demo", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    for _try in range(600):
        time.sleep(0.1)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server, f"http://127.0.0.1:{port}"
    sys.exit("The server did not start.")


def take(wanted, program, address):
    import screen_scenes
    from playwright.sync_api import sync_playwright

    INTO.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"]
        )
        for state, pages in screen_scenes.scenes():
            for name in filter(pages.__contains__, wanted):
                user, path = pages[name]
                for theme in THEMES:
                    picture = shoot(browser, address, user, path, name, theme)
                    kept = INTO / f"{name}-{state}-{theme}.webp"
                    kept.write_bytes(picture)
                    print(f"{kept.relative_to(ROOT)}  {len(picture) / 1000:.0f} KB", flush=True)


def shoot(browser, address, user, path, name, theme):
    """The page as a WebP image, once its fonts are loaded and its socket, if any, is connected."""
    width, height = SIZES[name]
    phone = name == "phone"
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=phone,
        is_mobile=phone,
        reduced_motion="reduce",
        timezone_id="Europe/London",
    )
    context.add_cookies([{"name": "theme", "value": theme, "url": address}])
    if user:
        context.add_cookies([sign_in(user, address)])
    page = context.new_page()
    page.goto(address + path)
    if page.locator("#live").count():
        page.locator("#live[data-state=live]").wait_for()
    if page.locator("#plan").count():
        page.locator("#plan .breakdown, #plan .note").first.wait_for(state="attached")  # folded while an attack waits
    page.evaluate("document.fonts.ready")
    page.mouse.move(0, 0)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 2 if phone else 1}
    wanted = {"format": "webp", "quality": QUALITY, "clip": clip}
    picture = context.new_cdp_session(page).send("Page.captureScreenshot", wanted)["data"]
    context.close()
    return b64decode(picture)


def sign_in(name, address):
    """A session cookie for a user, without the form."""
    from django.conf import settings
    from django.test import Client

    from campaigns.models import User

    browser = Client()
    browser.force_login(User.objects.get(username=name))
    return {"name": settings.SESSION_COOKIE_NAME, "value": browser.session.session_key, "url": address}


if __name__ == "__main__":
    main()
