/** PyPI, and the dependency files of Python. */
import type { Ecosystem } from "../ecosystem.ts";
import { normalizePythonName } from "./normalize-python-name.ts";
import { PDM_LOCK } from "./pdm-lock.ts";
import { PEP440_ORDER } from "./pep440-order.ts";
import { PIPFILE_LOCK } from "./pipfile-lock.ts";
import { PIPFILE } from "./pipfile.ts";
import { POETRY_LOCK } from "./poetry-lock.ts";
import { PYPI_SOURCES } from "./pypi-sources.ts";
import { PYPROJECT } from "./pyproject.ts";
import { REQUIREMENTS_FILE } from "./requirements-file.ts";
import { SETUP_CFG } from "./setup-cfg.ts";
import { UV_LOCK } from "./uv-lock.ts";

export const PYPI: Ecosystem = {
  formats: [REQUIREMENTS_FILE, PYPROJECT, PIPFILE, SETUP_CFG, POETRY_LOCK, UV_LOCK, PIPFILE_LOCK, PDM_LOCK],
  sources: PYPI_SOURCES,
  order: PEP440_ORDER,
  normalizeName: normalizePythonName,
  advisoryNames: { osv: "PyPI", github: "pip" },
  publicHosts: ["pypi.org", "pypi.python.org", "files.pythonhosted.org"],
  publicAlias: "pypi",
  popularNames: `requests numpy pandas flask django scipy matplotlib tensorflow torch keras scikit-learn beautifulsoup4 selenium pillow
    boto3 botocore awscli urllib3 certifi setuptools cryptography pyyaml jinja2 click colorama pytest sqlalchemy psycopg2
    psycopg2-binary pymongo redis celery gunicorn uvicorn fastapi pydantic aiohttp httpx paramiko fabric ansible jupyter notebook ipython
    python-dateutil pytz simplejson markupsafe werkzeug itsdangerous discord.py telethon pycryptodome opencv-python transformers
    openai langchain huggingface-hub google-cloud-storage google-api-python-client protobuf grpcio lxml openpyxl tqdm loguru rich-click
    virtualenv poetry pipenv black flake8 pylint isort coverage tox-pip nose2`,
};
