import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "py-ssrf",
    language: "python",
    kind: "request input in outgoing request",
    path: "svc/proxy.py",
    before: null,
    after: `import requests
from fastapi import APIRouter, Request, Response

api = APIRouter(prefix="/img")
LIMIT = 5 * 1024 * 1024


@api.get("/proxy")
def proxy_image(request: Request) -> Response:
    source = request.query_params["src"]
    upstream = requests.get(source, timeout=8, stream=True)
    upstream.raise_for_status()
    body = upstream.raw.read(LIMIT, decode_content=True)
    return Response(content=body, media_type=upstream.headers.get("content-type"))
`,
    line: 11,
    severity: "must-fix",
  },
  {
    id: "py-pickle-request",
    language: "python",
    kind: "unsafe deserialization",
    path: "ml/serving/predict.py",
    before: `import json
import logging

import numpy as np
from flask import Flask, request

app = Flask(__name__)
log = logging.getLogger("predict")
MODEL = np.load("/models/weights.npy")


@app.post("/predict")
def predict():
    payload = request.get_data()
    features = np.asarray(json.loads(payload)["features"], dtype=float)
    score = float(features @ MODEL)
    log.info("score %.3f", score)
    return json.dumps({"score": score})
`,
    after: `import base64
import json
import logging
import pickle

import numpy as np
from flask import Flask, request

app = Flask(__name__)
log = logging.getLogger("predict")
MODEL = np.load("/models/weights.npy")


@app.post("/predict")
def predict():
    payload = request.get_data()
    features = pickle.loads(base64.b64decode(payload))
    score = float(features @ MODEL)
    log.info("score %.3f", score)
    return json.dumps({"score": score})
`,
    line: 17,
    severity: "critical",
  },
  {
    id: "py-bare-except-pass",
    language: "python",
    kind: "every exception swallowed",
    path: "etl/loaders/warehouse.py",
    before: null,
    after: `from contextlib import closing

from etl.connections import warehouse


class WarehouseLoader:
    batch_size = 500

    def __init__(self, table):
        self.table = table

    def load(self, records):
        loaded = 0
        with closing(warehouse()) as db:
            for start in range(0, len(records), self.batch_size):
                batch = records[start : start + self.batch_size]
                try:
                    db.insert_many(self.table, batch)
                    loaded += len(batch)
                except:
                    pass
        return loaded
`,
    line: 20,
    also: [21],
    severity: "major",
  },
  {
    id: "py-format-missing-arg",
    language: "python",
    kind: "wrong number of format arguments",
    path: "cli/report.py",
    before: `import argparse
import sys


def summary(name, passed, failed):
    total = passed + failed
    share = 100 * passed / total if total else 0
    return "%s: %d of %d passed (%.1f %%)" % (name, passed, total, share)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--passed", type=int, default=0)
    parser.add_argument("--failed", type=int, default=0)
    options = parser.parse_args(argv)
    print(summary(options.name, options.passed, options.failed))
    return 1 if options.failed else 0


if __name__ == "__main__":
    sys.exit(main())
`,
    after: `import argparse
import sys


def summary(name, passed, failed):
    total = passed + failed
    share = 100 * passed / total if total else 0
    return "%s: %d of %d passed, %d failed (%.1f %%)" % (name, passed, total, share)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--passed", type=int, default=0)
    parser.add_argument("--failed", type=int, default=0)
    options = parser.parse_args(argv)
    print(summary(options.name, options.passed, options.failed))
    return 1 if options.failed else 0


if __name__ == "__main__":
    sys.exit(main())
`,
    line: 8,
    severity: "must-fix",
  },
  {
    id: "py-not-implemented-raise",
    language: "python",
    kind: "NotImplemented raised",
    path: "core/transport.py",
    before: null,
    after: `from typing import Protocol


class Codec(Protocol):
    def encode(self, message: dict) -> bytes: ...


class Transport:
    """A base for transports."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.sent = 0

    def send(self, message: dict) -> None:
        self.write(self.codec.encode(message))
        self.sent += 1

    def write(self, data: bytes) -> None:
        raise NotImplemented("a transport must define write")


class MemoryTransport(Transport):
    def __init__(self, codec: Codec) -> None:
        super().__init__(codec)
        self.buffer = bytearray()

    def write(self, data: bytes) -> None:
        self.buffer += data
`,
    line: 20,
    severity: "major",
  },
  {
    id: "py-jinja-xss",
    language: "python",
    kind: "request input in HTML",
    path: "portal/hello.py",
    before: `from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.html import escape

from portal.models import Event


def event_page(request: HttpRequest, pk: int) -> HttpResponse:
    event = get_object_or_404(Event, pk=pk)
    return render(request, "event.html", {"event": event})


def thanks(request: HttpRequest) -> HttpResponse:
    name = request.GET.get("name", "guest")
    return HttpResponse("<h1>Thanks, " + escape(name) + "!</h1>")
`,
    after: `from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from portal.models import Event


def event_page(request: HttpRequest, pk: int) -> HttpResponse:
    event = get_object_or_404(Event, pk=pk)
    return render(request, "event.html", {"event": event})


def thanks(request: HttpRequest) -> HttpResponse:
    name = request.GET.get("name", "guest")
    return HttpResponse("<h1>Thanks, " + name + "!</h1>")
`,
    line: 14,
    severity: "must-fix",
  },
  {
    id: "py-optional-match",
    language: "python",
    kind: "None result used without a check",
    path: "parsers/logline.py",
    before: null,
    after: `import re
from datetime import datetime
from typing import Iterable, NamedTuple

LINE = re.compile(r"^(?P<at>\\S+) (?P<level>[A-Z]+) (?P<text>.*)$")


class Entry(NamedTuple):
    at: datetime
    level: str
    text: str


def parse(line: str) -> Entry:
    fields = LINE.match(line).groupdict()
    return Entry(datetime.fromisoformat(fields["at"]), fields["level"], fields["text"])


def parse_all(lines: Iterable[str]) -> list[Entry]:
    return [parse(line) for line in lines if line.strip()]
`,
    line: 15,
    severity: "major",
  },
  {
    id: "py-duplicate-dict-key",
    language: "python",
    kind: "duplicate dictionary key",
    path: "geo/vat.py",
    before: `"""Standard VAT rates in percent."""

RATES = {
    "AT": 20,
    "BE": 21,
    "DE": 19,
    "DK": 25,
    "ES": 21,
    "FR": 20,
    "IE": 23,
    "IT": 22,
    "NL": 21,
    "PT": 23,
}


def gross(net_cents: int, country: str) -> int:
    try:
        rate = RATES[country.upper()]
    except KeyError:
        raise ValueError(f"no rate for {country}") from None
    return net_cents + net_cents * rate // 100
`,
    after: `"""Standard VAT rates in percent."""

RATES = {
    "AT": 20,
    "BE": 21,
    "DE": 19,
    "DK": 25,
    "ES": 21,
    "FR": 20,
    "DE": 23,
    "IT": 22,
    "NL": 21,
    "PT": 23,
}


def gross(net_cents: int, country: str) -> int:
    try:
        rate = RATES[country.upper()]
    except KeyError:
        raise ValueError(f"no rate for {country}") from None
    return net_cents + net_cents * rate // 100
`,
    line: 10,
    severity: "medium",
  },
  {
    id: "py-blocking-sleep",
    language: "python",
    kind: "blocking call in a coroutine",
    path: "bot/poller.py",
    before: null,
    after: `import asyncio
import time

import aiohttp


class Poller:
    def __init__(self, url: str, every: float = 5.0) -> None:
        self.url = url
        self.every = every
        self.stopped = asyncio.Event()

    async def run(self, handle) -> None:
        async with aiohttp.ClientSession() as session:
            while not self.stopped.is_set():
                async with session.get(self.url) as response:
                    handle(await response.json())
                time.sleep(self.every)

    def stop(self) -> None:
        self.stopped.set()
`,
    line: 18,
    severity: "major",
  },
  {
    id: "py-migration-drop",
    language: "python",
    kind: "migration drops a column",
    path: "inventory/migrations/0014_drop_legacy_sku.py",
    before: null,
    after: `from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0013_item_barcode"),
    ]

    operations = [
        migrations.AddField(
            model_name="item",
            name="unit",
            field=models.CharField(max_length=12, default="piece"),
        ),
        migrations.RemoveField(
            model_name="item",
            name="legacy_sku",
        ),
    ]
`,
    line: 15,
    severity: "major",
  },
  {
    id: "py-login-required-removed",
    language: "python",
    kind: "permission check removed",
    path: "crm/views/exports.py",
    before: `import csv

from django.contrib.auth.decorators import login_required, permission_required
from django.http import StreamingHttpResponse

from crm.models import Contact


class Echo:
    def write(self, value):
        return value


@login_required
@permission_required("crm.export_contact", raise_exception=True)
def export_contacts(request):
    writer = csv.writer(Echo())
    rows = Contact.objects.values_list("name", "email", "phone").iterator()
    response = StreamingHttpResponse(
        (writer.writerow(row) for row in rows), content_type="text/csv"
    )
    response["Content-Disposition"] = 'attachment; filename="contacts.csv"'
    return response


@login_required
@permission_required("crm.view_contact", raise_exception=True)
def count_contacts(request):
    return StreamingHttpResponse([str(Contact.objects.count())])
`,
    after: `import csv

from django.contrib.auth.decorators import login_required, permission_required
from django.http import StreamingHttpResponse

from crm.models import Contact


class Echo:
    def write(self, value):
        return value


@login_required
def export_contacts(request):
    writer = csv.writer(Echo())
    rows = Contact.objects.values_list("name", "email", "phone").iterator()
    response = StreamingHttpResponse(
        (writer.writerow(row) for row in rows), content_type="text/csv"
    )
    response["Content-Disposition"] = 'attachment; filename="contacts.csv"'
    return response


@login_required
@permission_required("crm.view_contact", raise_exception=True)
def count_contacts(request):
    return StreamingHttpResponse([str(Contact.objects.count())])
`,
    line: 15,
    side: "old",
    severity: "must-fix",
  },
];
