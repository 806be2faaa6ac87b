"""Lists the coming performances of a catalogue, with their productions and venues."""

import json
import os
from datetime import datetime, timezone
from urllib.parse import urlencode
from urllib.request import Request, urlopen

BASE = os.environ.get("LIBRETTO_URL", "http://127.0.0.1:8080")
TOKEN = os.environ.get("LIBRETTO_TOKEN")


def ask(path, body=None):
    """Sends a request and returns the JSON of the answer."""
    headers = {"Content-Type": "application/json"}
    if TOKEN:
        headers["Authorization"] = f"Bearer {TOKEN}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(BASE + path, data=data, headers=headers), timeout=30) as answer:
        return json.load(answer)


def label(entity, lang="en"):
    """The title or name of a record, in a language if it has one."""
    names = [each for each in entity["metadata"] if each["key"] in ("title", "name")]
    chosen = [each for each in names if each.get("lang", "").startswith(lang)] or names
    return chosen[0]["value"] if chosen else ""


now = datetime.now(timezone.utc).isoformat(timespec="seconds")
performances = ask(
    "/entities/filter?order_by=start&limit=20",
    [
        {"type": "type", "value": "performance"},
        {"type": "date", "key": "properties.start.value", "value": {"min": now}},
    ],
)["results"]

wanted = ("refProduction", "refVenues")
ids = {each["key"] for show in performances for each in show["relations"] if each["type"] in wanted}
query = urlencode({"ids": ",".join(sorted(ids)), "limit": 1000})
targets = {each["id"]: each for each in ask(f"/entities?{query}")} if ids else {}

for show in performances:
    start = next(each["value"] for each in show["metadata"] if each["key"] == "start")
    keys = [each["key"] for name in wanted for each in show["relations"] if each["type"] == name]
    print(show["id"], start, *(label(targets[key]) for key in keys if key in targets))
