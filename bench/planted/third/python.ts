import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "third-py-mutable-default",
    language: "python",
    kind: "mutable default argument",
    path: "shop/cart.py",
    before: null,
    after: `from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Item:
    sku: str
    price: Decimal
    quantity: int = 1

    @property
    def total(self) -> Decimal:
        return self.price * self.quantity


class Cart:
    def __init__(self, customer_id: int, items: list[Item] = []) -> None:
        self.customer_id = customer_id
        self.items = items

    def add(self, item: Item) -> None:
        self.items.append(item)

    def remove(self, sku: str) -> None:
        self.items = [item for item in self.items if item.sku != sku]

    @property
    def total(self) -> Decimal:
        return sum((item.total for item in self.items), Decimal(0))
`,
    line: 19,
    severity: "medium",
  },
  {
    id: "third-py-is-literal",
    language: "python",
    kind: "identity comparison with a string",
    path: "inventory/importer.py",
    before: `import csv
import logging
from pathlib import Path

logger = logging.getLogger(__name__)


def parse_row(row: dict[str, str]) -> dict[str, object]:
    return {
        "sku": row["sku"].strip(),
        "name": row["name"].strip(),
        "stock": int(row["stock"] or 0),
    }


def import_stock(path: Path) -> list[dict[str, object]]:
    records = []
    with path.open(newline="", encoding="utf-8") as handle:
        for number, row in enumerate(csv.DictReader(handle), start=2):
            if row["state"] == "deleted":
                logger.debug("line %d is deleted", number)
                continue
            try:
                records.append(parse_row(row))
            except ValueError:
                logger.warning("line %d has an invalid stock", number)
    return records
`,
    after: `import csv
import logging
from pathlib import Path

logger = logging.getLogger(__name__)


def parse_row(row: dict[str, str]) -> dict[str, object]:
    return {
        "sku": row["sku"].strip(),
        "name": row["name"].strip(),
        "stock": int(row["stock"] or 0),
    }


def import_stock(path: Path) -> list[dict[str, object]]:
    records = []
    with path.open(newline="", encoding="utf-8") as handle:
        for number, row in enumerate(csv.DictReader(handle), start=2):
            state = row["state"].strip().lower()
            if state is "deleted" or not row["sku"]:
                logger.debug("line %d is deleted", number)
                continue
            try:
                records.append(parse_row(row))
            except ValueError:
                logger.warning("line %d has an invalid stock", number)
    return records
`,
    line: 21,
    severity: "medium",
  },
  {
    id: "third-py-loop-closure",
    language: "python",
    kind: "closure captures the loop variable",
    path: "gui/toolbar.py",
    before: null,
    after: `import tkinter as tk
from tkinter import ttk

ZOOM_LEVELS = (50, 75, 100, 150, 200)


class Toolbar(ttk.Frame):
    def __init__(self, master: tk.Misc, canvas) -> None:
        super().__init__(master)
        self.canvas = canvas
        self.status = tk.StringVar(value="100 %")
        self._add_buttons()
        ttk.Label(self, textvariable=self.status).pack(side=tk.RIGHT, padx=8)

    def _add_buttons(self) -> None:
        for level in ZOOM_LEVELS:
            button = ttk.Button(
                self,
                text=f"{level} %",
                command=lambda: self.set_zoom(level),
            )
            button.pack(side=tk.LEFT, padx=2)

    def set_zoom(self, level: int) -> None:
        self.canvas.scale_to(level / 100)
        self.status.set(f"{level} %")
`,
    line: 20,
    severity: "medium",
  },
  {
    id: "third-py-except-or",
    language: "python",
    kind: 'except with "or" catches only one class',
    path: "clients/rates.py",
    before: `import json
import logging
import urllib.error
import urllib.request
from decimal import Decimal

logger = logging.getLogger(__name__)

BASE_URL = "https://rates.example.com/v1"


class RatesUnavailable(Exception):
    pass


def fetch_rates(base: str) -> dict[str, Decimal]:
    url = f"{BASE_URL}/latest/{base.upper()}"
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            body = json.load(response)
    except urllib.error.URLError as error:
        logger.warning("rates for %s are not available: %s", base, error)
        raise RatesUnavailable(base) from error
    return {code: Decimal(str(value)) for code, value in body["rates"].items()}


def convert(amount: Decimal, base: str, target: str) -> Decimal:
    rates = fetch_rates(base)
    return (amount * rates[target.upper()]).quantize(Decimal("0.01"))
`,
    after: `import json
import logging
import urllib.error
import urllib.request
from decimal import Decimal

logger = logging.getLogger(__name__)

BASE_URL = "https://rates.example.com/v1"


class RatesUnavailable(Exception):
    pass


def fetch_rates(base: str) -> dict[str, Decimal]:
    url = f"{BASE_URL}/latest/{base.upper()}"
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            body = json.load(response)
    except urllib.error.URLError or json.JSONDecodeError as error:
        logger.warning("rates for %s are not available: %s", base, error)
        raise RatesUnavailable(base) from error
    return {code: Decimal(str(value)) for code, value in body["rates"].items()}


def convert(amount: Decimal, base: str, target: str) -> Decimal:
    rates = fetch_rates(base)
    return (amount * rates[target.upper()]).quantize(Decimal("0.01"))
`,
    line: 21,
    severity: "medium",
  },
  {
    id: "third-py-shell-injection",
    language: "python",
    kind: "request input in a shell command",
    path: "netops/views.py",
    before: null,
    after: `import subprocess

from flask import Blueprint, abort, jsonify, request

bp = Blueprint("diagnostics", __name__, url_prefix="/diagnostics")


@bp.get("/health")
def health():
    return jsonify(status="ok")


@bp.post("/ping")
def ping():
    host = request.form.get("host", "").strip()
    if not host:
        abort(400, "host is required")
    result = subprocess.run(
        f"ping -c 3 -W 2 {host}",
        shell=True,
        capture_output=True,
        text=True,
        timeout=15,
        check=False,
    )
    return jsonify(
        host=host,
        reachable=result.returncode == 0,
        output=result.stdout.splitlines(),
    )
`,
    line: 20,
    also: [19],
    severity: "major",
  },
  {
    id: "third-py-ssrf",
    language: "python",
    kind: "outgoing request to a URL from the request",
    path: "previews/views.py",
    before: null,
    after: `import re

import requests
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

TITLE = re.compile(r"<title[^>]*>([^<]*)</title>", re.IGNORECASE)
MAX_BYTES = 200_000


def extract_title(html: str) -> str:
    match = TITLE.search(html)
    return match.group(1).strip() if match else ""


@require_GET
def link_preview(request: HttpRequest) -> JsonResponse:
    url = request.GET.get("url", "")
    if not url:
        return JsonResponse({"error": "url is required"}, status=400)
    try:
        response = requests.get(url, timeout=5)
        response.raise_for_status()
    except requests.RequestException:
        return JsonResponse({"error": "page is not available"}, status=502)
    html = response.text[:MAX_BYTES]
    return JsonResponse({"url": url, "title": extract_title(html)})
`,
    line: 22,
    severity: "major",
  },
  {
    id: "third-py-removed-test",
    language: "python",
    kind: "removed test of a permission check",
    path: "tests/test_permissions.py",
    before: `import pytest

from docs_app.models import Document, User
from docs_app.permissions import PermissionDenied, delete_document


@pytest.fixture
def owner() -> User:
    return User(id=1, name="owner", role="member")


@pytest.fixture
def document(owner: User) -> Document:
    return Document(id=10, owner_id=owner.id, title="Plan")


def test_owner_can_delete(owner: User, document: Document) -> None:
    assert delete_document(owner, document) is True


def test_stranger_cannot_delete(document: Document) -> None:
    stranger = User(id=2, name="stranger", role="member")
    with pytest.raises(PermissionDenied):
        delete_document(stranger, document)


def test_admin_can_delete(document: Document) -> None:
    admin = User(id=3, name="admin", role="admin")
    assert delete_document(admin, document) is True
`,
    after: `import pytest

from docs_app.models import Document, User
from docs_app.permissions import PermissionDenied, delete_document


@pytest.fixture
def owner() -> User:
    return User(id=1, name="owner", role="member")


@pytest.fixture
def document(owner: User) -> Document:
    return Document(id=10, owner_id=owner.id, title="Plan")


def test_owner_can_delete(owner: User, document: Document) -> None:
    assert delete_document(owner, document) is True


def test_admin_can_delete(document: Document) -> None:
    admin = User(id=3, name="admin", role="admin")
    assert delete_document(admin, document) is True
`,
    line: 21,
    side: "old",
    also: [22, 23, 24],
    severity: "minor",
  },
  {
    id: "third-py-blocking-sleep",
    language: "python",
    kind: "blocking sleep in a coroutine",
    path: "worker/poller.py",
    before: `import asyncio
import logging

import httpx

logger = logging.getLogger(__name__)


class Poller:
    def __init__(self, client: httpx.AsyncClient, interval: float = 5.0) -> None:
        self.client = client
        self.interval = interval
        self.queue: asyncio.Queue[dict] = asyncio.Queue()

    async def poll_once(self) -> int:
        response = await self.client.get("/events")
        response.raise_for_status()
        events = response.json()
        for event in events:
            await self.queue.put(event)
        return len(events)

    async def run(self) -> None:
        while True:
            try:
                count = await self.poll_once()
                logger.debug("%d events", count)
            except httpx.HTTPError as error:
                logger.warning("poll failed: %s", error)
            await asyncio.sleep(self.interval)
`,
    after: `import asyncio
import logging
import time

import httpx

logger = logging.getLogger(__name__)


class Poller:
    def __init__(self, client: httpx.AsyncClient, interval: float = 5.0) -> None:
        self.client = client
        self.interval = interval
        self.queue: asyncio.Queue[dict] = asyncio.Queue()

    async def poll_once(self) -> int:
        response = await self.client.get("/events")
        response.raise_for_status()
        events = response.json()
        for event in events:
            await self.queue.put(event)
        return len(events)

    async def run(self) -> None:
        delay = self.interval
        while True:
            try:
                count = await self.poll_once()
                logger.debug("%d events", count)
                delay = self.interval
            except httpx.HTTPError as error:
                logger.warning("poll failed: %s", error)
                delay = min(delay * 2, 60.0)
            time.sleep(delay)
`,
    line: 34,
    severity: "medium",
  },
];
