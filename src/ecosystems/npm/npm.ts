/** The files of npm's package managers: npm, Yarn, pnpm and Bun. */
import type { FileFormat } from "../ecosystem.ts";
import { bunBinaryLock, bunLock } from "./bun-lock.ts";
import { packageJson } from "./package-json.ts";
import { packageLock } from "./package-lock.ts";
import { pnpmLock } from "./pnpm-lock.ts";
import { pnpmWorkspace } from "./pnpm-workspace.ts";
import { yarnLock } from "./yarn-lock.ts";

export const NPM_FORMATS: readonly FileFormat[] = [
  packageJson,
  pnpmWorkspace,
  packageLock,
  yarnLock,
  pnpmLock,
  bunLock,
  bunBinaryLock,
];
