"""A chat bot in the terminal: python docs/chatbot.py http://127.0.0.1:8000 mara 'a blue kettle sings'"""

import json
import sys
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPError, Request, build_opener, urlopen

site, username, password = sys.argv[1:]


def sign_up():
    browser, page = build_opener(HTTPCookieProcessor(cookies := CookieJar())), f"{site}/accounts/signup/"
    browser.open(page)
    form = {"username": username, "password1": password, "password2": password}
    token = next(cookie.value for cookie in cookies if cookie.name == "csrftoken")
    browser.open(page, urlencode(form | {"csrfmiddlewaretoken": token}).encode())


def ask(path, body=None, **headers):
    sent = body and json.dumps(body).encode()
    return urlopen(Request(f"{site}/api/{path}", sent, {"Content-Type": "application/json", **headers}))


me = {"username": username, "password": password}
try:
    signed_in = ask("auth/login/", me)
except HTTPError:
    sign_up()
    signed_in = ask("auth/login/", me)
mine = {"Authorization": f"Token {json.load(signed_in)['token']}"}
bonds = json.load(ask("bonds/", **mine))["results"]
marian = {"name": "Marian", "persona": "You are Marian, who keeps a lighthouse and says little."}
bond = bonds[0] if bonds else json.load(ask("personas/onboarding/", marian, **mine))["bond"]
for line in filter(str.strip, sys.stdin):
    for row in ask(f"bonds/{bond['id']}/messages/", {"content": line}, Accept="text/event-stream", **mine):
        event = json.loads(row[6:]) if row.startswith(b"data: ") else {}
        print(event.get("delta", "") or event.get("detail", ""), end="", flush=True)
    print()
