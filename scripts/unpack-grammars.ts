/**
 * Unpacks the grammars of an installed package for this system, for images whose file system is read-only later:
 * `node scripts/unpack-grammars.ts FOLDER`, where FOLDER is the package's `dist/grammars`.
 */
import { resolve } from "node:path";
import { findGrammars } from "../src/syntax/grammars.ts";

const archives = resolve(process.argv[2] ?? "dist/grammars");
const { grammars } = findGrammars({ archives, cacheFolder: null });
const unpacked = Object.values(grammars).filter(({ libraryPath }) => libraryPath.startsWith(archives));
console.log(`${unpacked.length} grammars in ${archives}`);
if (unpacked.length === 0) process.exitCode = 1;
