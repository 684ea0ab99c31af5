/** Finds out what a test file needs before it can run, from the modules that it imports. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Importing one of these modules is how a test says what it needs. */
const BUILT_PROGRAM = "test/support/built-program.ts";
const SHARED_CLUSTER = "test/support/postgres/shared-cluster.ts";
const CHROMIUM = "test/support/chromium.ts";

export type Needs = { readonly program: boolean; readonly postgres: boolean; readonly chromium: boolean };

/** Paths are relative to the root of the project. */
export function findNeeds(files: readonly string[]): Needs {
  const reached = reachableFrom(files);
  return {
    program: reached.has(BUILT_PROGRAM),
    postgres: reached.has(SHARED_CLUSTER),
    chromium: reached.has(CHROMIUM),
  };
}

function reachableFrom(files: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...importsOf(file));
  }
  return reached;
}

const known = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  const read = known.get(file);
  if (read !== undefined) return read;
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export|\}).* from "(\.[^"]+\.ts)";$/gm);
  // Sample code in a test imports files that don't exist.
  const found = [...imports]
    .map(([, path = ""]) => join(dirname(file), path))
    .filter((path) => existsSync(path));
  known.set(file, found);
  return found;
}
