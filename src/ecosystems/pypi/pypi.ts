/** The dependency files of Python. */
import type { FileFormat } from "../ecosystem.ts";
import { PDM_LOCK } from "./pdm-lock.ts";
import { PIPFILE_LOCK } from "./pipfile-lock.ts";
import { PIPFILE } from "./pipfile.ts";
import { POETRY_LOCK } from "./poetry-lock.ts";
import { PYPROJECT } from "./pyproject.ts";
import { REQUIREMENTS_FILE } from "./requirements-file.ts";
import { SETUP_CFG } from "./setup-cfg.ts";
import { UV_LOCK } from "./uv-lock.ts";

export const PYTHON_FORMATS: readonly FileFormat[] = [
  REQUIREMENTS_FILE,
  PYPROJECT,
  PIPFILE,
  SETUP_CFG,
  POETRY_LOCK,
  UV_LOCK,
  PIPFILE_LOCK,
  PDM_LOCK,
];
