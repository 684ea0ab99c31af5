/**
 * Compares two lockfiles in a process of its own, or parses both with a format's own parser, and prints the
 * milliseconds of CPU time, which other programs on the machine don't change much:
 * `node compare-lockfiles.ts compare|json|toml NAME BASE HEAD`. Nothing is warm, as in the process that reads a change.
 */
import { readFileSync } from "node:fs";
import { parse as parseToml } from "smol-toml";
import { compareFiles } from "../../test/support/compare-files.ts";

const [work = "", path = "", base = "", head = ""] = process.argv.slice(2);
const texts = [readFileSync(base, "utf8"), readFileSync(head, "utf8")] as const;

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  json: (text) => JSON.parse(text),
  toml: (text) => parseToml(text),
};

const before = process.threadCpuUsage();
const changed = work === "compare" ? compare() : parse();
const { user, system } = process.threadCpuUsage(before);
console.log(JSON.stringify({ cpuMs: (user + system) / 1_000, changed }));

function compare(): number {
  const [one, other] = texts.map((text) => ({ text }));
  return compareFiles([{ path, base: one ?? null, head: other ?? null }]).packages.length;
}

function parse(): number {
  return texts.map((text) => PARSERS[work]?.(text)).length;
}
