/** Runs the test files that its arguments name in one process: unit tests are too short for a process each. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href);
