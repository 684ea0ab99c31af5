import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "py-mutable-default",
    language: "python",
    kind: "mutable default argument",
    path: "app/services/tagging.py",
    before: null,
    after: `"""Tags for uploaded documents."""
from dataclasses import dataclass


@dataclass
class Document:
    title: str
    body: str


KEYWORDS = {"invoice": "finance", "contract": "legal", "salary": "hr"}


def collect_tags(document, tags=[]):
    for keyword, tag in KEYWORDS.items():
        if keyword in document.body.lower():
            tags.append(tag)
    return tags


def tag_all(documents):
    return {document.title: collect_tags(document) for document in documents}
`,
    line: 14,
    severity: "major",
  },
  {
    id: "py-sql-fstring",
    language: "python",
    kind: "request input in SQL",
    path: "app/views/customers.py",
    before: `from flask import Blueprint, jsonify, request

from app.db import get_connection

customers = Blueprint("customers", __name__)


@customers.route("/customers")
def list_customers():
    city = request.args.get("city", "")
    connection = get_connection()
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, name, email FROM customers WHERE city = %s", (city,))
        rows = cursor.fetchall()
    return jsonify([{"id": r[0], "name": r[1], "email": r[2]} for r in rows])


@customers.route("/customers/<int:customer_id>")
def show_customer(customer_id):
    with get_connection().cursor() as cursor:
        cursor.execute("SELECT id, name, email FROM customers WHERE id = %s", (customer_id,))
        row = cursor.fetchone()
    if row is None:
        return jsonify({"error": "not found"}), 404
    return jsonify({"id": row[0], "name": row[1], "email": row[2]})
`,
    after: `from flask import Blueprint, jsonify, request

from app.db import get_connection

customers = Blueprint("customers", __name__)


@customers.route("/customers")
def list_customers():
    city = request.args.get("city", "")
    connection = get_connection()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT id, name, email FROM customers WHERE city = '{city}'")
        rows = cursor.fetchall()
    return jsonify([{"id": r[0], "name": r[1], "email": r[2]} for r in rows])


@customers.route("/customers/<int:customer_id>")
def show_customer(customer_id):
    with get_connection().cursor() as cursor:
        cursor.execute("SELECT id, name, email FROM customers WHERE id = %s", (customer_id,))
        row = cursor.fetchone()
    if row is None:
        return jsonify({"error": "not found"}), 404
    return jsonify({"id": row[0], "name": row[1], "email": row[2]})
`,
    line: 13,
    severity: "critical",
  },
  {
    id: "py-subprocess-shell",
    language: "python",
    kind: "request input in shell command",
    path: "tools/views.py",
    before: null,
    after: `import subprocess

from django.http import HttpResponse, HttpResponseBadRequest
from django.contrib.admin.views.decorators import staff_member_required


@staff_member_required
def ping(request):
    host = request.GET.get("host")
    if not host:
        return HttpResponseBadRequest("host is required")
    result = subprocess.run(
        "ping -c 3 " + host,
        shell=True,
        capture_output=True,
        text=True,
        timeout=30,
    )
    return HttpResponse(result.stdout, content_type="text/plain")
`,
    line: 12,
    also: [13, 14],
    severity: "critical",
  },
  {
    id: "py-yaml-load",
    language: "python",
    kind: "unsafe YAML loading",
    path: "app/importer.py",
    before: `import io
import logging

import yaml
from flask import Blueprint, jsonify, request

from app.models import Recipe, db

log = logging.getLogger(__name__)
importer = Blueprint("importer", __name__)


@importer.post("/recipes/import")
def import_recipes():
    upload = request.files["file"]
    data = yaml.safe_load(io.BytesIO(upload.read()))
    created = 0
    for entry in data.get("recipes", []):
        db.session.add(Recipe(title=entry["title"], steps=entry.get("steps", [])))
        created += 1
    db.session.commit()
    log.info("imported %d recipes", created)
    return jsonify({"created": created}), 201
`,
    after: `import io
import logging

import yaml
from flask import Blueprint, jsonify, request

from app.models import Recipe, db

log = logging.getLogger(__name__)
importer = Blueprint("importer", __name__)


@importer.post("/recipes/import")
def import_recipes():
    upload = request.files["file"]
    data = yaml.load(io.BytesIO(upload.read()), Loader=yaml.Loader)
    created = 0
    for entry in data.get("recipes", []):
        db.session.add(Recipe(title=entry["title"], steps=entry.get("steps", [])))
        created += 1
    db.session.commit()
    log.info("imported %d recipes", created)
    return jsonify({"created": created}), 201
`,
    line: 16,
    severity: "must-fix",
  },
  {
    id: "py-literal-is",
    language: "python",
    kind: "identity comparison with a literal",
    path: "billing/invoices.py",
    before: `from decimal import Decimal


class Invoice:
    def __init__(self, number, lines, status="draft"):
        self.number = number
        self.lines = lines
        self.status = status

    @property
    def total(self):
        return sum((line.amount for line in self.lines), Decimal("0"))

    def can_edit(self):
        return self.status == "draft"

    def send(self, mailer):
        if not self.lines:
            raise ValueError("an invoice needs at least one line")
        mailer.send_invoice(self)
        self.status = "sent"
`,
    after: `from decimal import Decimal


class Invoice:
    def __init__(self, number, lines, status="draft"):
        self.number = number
        self.lines = lines
        self.status = status

    @property
    def total(self):
        return sum((line.amount for line in self.lines), Decimal("0"))

    def can_edit(self):
        return self.status is "draft"

    def send(self, mailer):
        if not self.lines:
            raise ValueError("an invoice needs at least one line")
        mailer.send_invoice(self)
        self.status = "sent"
`,
    line: 15,
    severity: "must-fix",
  },
  {
    id: "py-undefined-name",
    language: "python",
    kind: "undefined name",
    path: "workers/cleanup.py",
    before: `import os
import time
from pathlib import Path

MAX_AGE_SECONDS = 7 * 24 * 3600


def remove_old_files(folder: Path, dry_run: bool = False) -> int:
    removed = 0
    now = time.time()
    for path in folder.iterdir():
        if not path.is_file():
            continue
        age = now - path.stat().st_mtime
        if age > MAX_AGE_SECONDS:
            if not dry_run:
                os.remove(path)
            removed += 1
    return removed
`,
    after: `import os
import time
from pathlib import Path

MAX_AGE_SECONDS = 7 * 24 * 3600


def remove_old_files(folder: Path, dry_run: bool = False) -> int:
    removed = 0
    now = time.time()
    for path in folder.iterdir():
        if not path.is_file():
            continue
        age = now - path.stat().st_mtime
        if age > MAX_AGE_SECONDS:
            if not dry_run:
                os.remove(path)
            removed += 1
    logger.info("removed %d files from %s", removed, folder)
    return removed
`,
    line: 19,
    severity: "must-fix",
  },
  {
    id: "py-missing-await",
    language: "python",
    kind: "coroutine never awaited",
    path: "api/notifications.py",
    before: null,
    after: `import httpx
from fastapi import APIRouter, HTTPException

from api.store import users

router = APIRouter()
WEBHOOK = "https://hooks.internal.example/notify"


async def notify(user_id: int, text: str) -> None:
    async with httpx.AsyncClient(timeout=5) as client:
        await client.post(WEBHOOK, json={"user": user_id, "text": text})


@router.post("/users/{user_id}/approve")
async def approve(user_id: int):
    if not await users.set_status(user_id, "approved"):
        raise HTTPException(status_code=404)
    notify(user_id, "Your account was approved")
    return {"approved": user_id}
`,
    line: 19,
    severity: "must-fix",
  },
  {
    id: "py-assert-tuple",
    language: "python",
    kind: "assertion on a tuple",
    path: "tests/test_pricing.py",
    before: `import pytest

from shop.pricing import discount, price_of


def test_price_of_one_item():
    assert price_of("apple", 1) == 120


def test_discount_applies_from_ten_items():
    assert discount(10) == 0.1, "ten items earn ten percent"


def test_discount_is_zero_below_ten_items():
    assert discount(9) == 0


def test_unknown_item():
    with pytest.raises(KeyError):
        price_of("unknown", 1)
`,
    after: `import pytest

from shop.pricing import discount, price_of


def test_price_of_one_item():
    assert price_of("apple", 1) == 120


def test_discount_applies_from_ten_items():
    assert (discount(10) == 0.1, "ten items earn ten percent")


def test_discount_is_zero_below_ten_items():
    assert discount(9) == 0


def test_unknown_item():
    with pytest.raises(KeyError):
        price_of("unknown", 1)
`,
    line: 11,
    severity: "must-fix",
  },
  {
    id: "py-path-traversal",
    language: "python",
    kind: "request input in a file path",
    path: "app/downloads.py",
    before: null,
    after: `import os

from flask import Blueprint, abort, request, send_file

downloads = Blueprint("downloads", __name__)
REPORTS = "/srv/reports"


@downloads.get("/reports")
def index():
    return {"reports": sorted(os.listdir(REPORTS))}


@downloads.get("/reports/download")
def download():
    name = request.args.get("name")
    if not name:
        abort(400)
    return send_file(os.path.join(REPORTS, name), as_attachment=True)
`,
    line: 19,
    severity: "must-fix",
  },
  {
    id: "py-loop-closure",
    language: "python",
    kind: "closure over the loop variable",
    path: "ui/menu.py",
    before: `class Menu:
    def __init__(self, window):
        self.window = window
        self.handlers = {}

    def register(self, label, handler):
        self.handlers[label] = handler
        self.window.add_item(label)

    def choose(self, label):
        self.handlers[label]()


def build_language_menu(window, languages, set_language):
    menu = Menu(window)
    for code, label in languages:
        menu.register(label, lambda code=code: set_language(code))
    return menu
`,
    after: `class Menu:
    def __init__(self, window):
        self.window = window
        self.handlers = {}

    def register(self, label, handler):
        self.handlers[label] = handler
        self.window.add_item(label)

    def choose(self, label):
        self.handlers[label]()


def build_language_menu(window, languages, set_language):
    menu = Menu(window)
    for code, label in languages:
        menu.register(label, lambda: set_language(code))
    return menu
`,
    line: 17,
    severity: "major",
  },
  {
    id: "py-tls-off",
    language: "python",
    kind: "TLS verification turned off",
    path: "integrations/erp_client.py",
    before: `import requests


class ErpClient:
    def __init__(self, base_url, token):
        self.base_url = base_url.rstrip("/")
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {token}"

    def stock_of(self, sku):
        response = self.session.get(f"{self.base_url}/stock/{sku}", timeout=10)
        response.raise_for_status()
        return response.json()["quantity"]

    def reserve(self, sku, quantity):
        response = self.session.post(
            f"{self.base_url}/reservations",
            json={"sku": sku, "quantity": quantity},
            timeout=10,
        )
        response.raise_for_status()
        return response.json()["id"]
`,
    after: `import requests


class ErpClient:
    def __init__(self, base_url, token):
        self.base_url = base_url.rstrip("/")
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {token}"

    def stock_of(self, sku):
        response = self.session.get(f"{self.base_url}/stock/{sku}", timeout=10)
        response.raise_for_status()
        return response.json()["quantity"]

    def reserve(self, sku, quantity):
        response = self.session.post(
            f"{self.base_url}/reservations",
            json={"sku": sku, "quantity": quantity},
            timeout=10,
            verify=False,
        )
        response.raise_for_status()
        return response.json()["id"]
`,
    line: 20,
    severity: "major",
  },
];
