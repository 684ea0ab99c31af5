/**
 * Remembers which rules ran in linear time, by the content of all that decides it: the rule's file and every file that it imports, its
 * examples, the files that run a rule, and the inputs. A rule is measured again when one of them changes.
 */
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { FloorRule } from "../../src/rules/rule.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const CACHE = join(ROOT, "node_modules/.cache/kodiai/linear-rules.json");
const RULES = join(ROOT, "src/rules/checks");
const EXAMPLES = join(ROOT, "test/fixtures/rules");

/** These files run and measure each rule. The lock file stands for the parser's version. */
const SHARED = [
  "src/rules/*.ts",
  "src/rules/syntax/rule-tree.ts",
  "src/syntax/*.ts",
  "test/support/{hostile-examples,measure-rules,rule-examples,run-rule,linear-cache}.ts",
  "test/thorough/linear-rules.test.ts",
  "package-lock.json",
];

/** Keys by the id of their rule. */
export type LinearKeys = ReadonlyMap<string, string>;

/** `form` names the inputs' sizes and shapes. A rule that no file of the folder exports has no key, and is always measured. */
export async function linearKeys(form: string): Promise<LinearKeys> {
  const shared = SHARED.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .filter((file) => file.endsWith("linear-rules.test.ts") || !file.endsWith(".test.ts"))
    .map((file) => join(ROOT, file));
  const keys = new Map<string, string>();
  for (const file of globSync(join(RULES, "*.ts"))) {
    if (file.endsWith(".test.ts")) continue;
    const examples = join(EXAMPLES, `${basename(file, ".ts")}.txt`);
    const files = [...new Set([...shared, ...importedBy(file), examples])].toSorted();
    const hash = createHash("sha256").update(`${form} ${process.version}\0`);
    for (const each of files)
      hash
        .update(`${relative(ROOT, each)}\0`)
        .update(readFileSync(each))
        .update("\0");
    const key = hash.digest("hex");
    const exported: Record<string, unknown> = await import(file);
    for (const value of Object.values(exported)) if (isRule(value)) keys.set(value.id, key);
  }
  return keys;
}

function isRule(value: unknown): value is FloorRule {
  return typeof value === "object" && value !== null && "id" in value && "kind" in value;
}

/** A file and all files of this repository that it imports, directly or not. */
function importedBy(entry: string): readonly string[] {
  const known = new Set([entry]);
  for (const file of known)
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/ from "(\.[^"]+)";$/gm))
      known.add(resolve(dirname(file), path));
  return [...known];
}

/** The keys of rules that passed; none when there is no cache yet or it is damaged. */
export function readLinear(): LinearKeys {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(CACHE, "utf8")) as Record<string, string>));
  } catch {
    return new Map();
  }
}

export function writeLinear(passed: LinearKeys): void {
  mkdirSync(dirname(CACHE), { recursive: true });
  writeFileSync(CACHE, JSON.stringify(Object.fromEntries(passed), null, 1));
}
