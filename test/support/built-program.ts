/** The program as it is published. Importing this makes the test command build it first. */
import { dirname, join } from "node:path";

const ROOT = dirname(dirname(import.meta.dirname));

/** The folder of the bundle. */
export const DIST = join(ROOT, "dist");

/** The file that `npx kodiai` runs: with the bundle, when that is newer than the sources. */
export const BIN = join(ROOT, "bin", "kodiai.js");
