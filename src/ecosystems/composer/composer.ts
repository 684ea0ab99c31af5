import type { FileFormat } from "../ecosystem.ts";
import { composerJson } from "./composer-json.ts";
import { composerLock } from "./composer-lock.ts";

export const PHP_FORMATS: readonly FileFormat[] = [composerJson, composerLock];
