/**
 * Code reads every key of the configuration. The compiler proves it: in a copy of the sources every key is taken out of the
 * configuration's type, so that each place that reads a key becomes an error that names it.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import {
  CONFIG_OUTLINE,
  listLeaves,
  type SectionShape,
} from "../../src/config/repo-config/schema-outline.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCHEMA = "src/config/repo-config/schema.ts";
const TYPE = "export type RepoConfig = z.infer<typeof RepoConfigSchema>;";

/** Interfaces for the sections of the configuration, without keys that hold a value. */
function keylessTypes(section: SectionShape, name: string): readonly string[] {
  const sections = [...section.keys].flatMap(([key, { shape }]) =>
    shape.kind === "section" ? [{ key, shape, type: `${name}_${key}` }] : [],
  );
  const members = sections.map(({ key, type }) => `${key}: ${type};`);
  return [
    `export interface ${name} { ${members.join(" ")} }`,
    ...sections.flatMap(({ shape, type }) => keylessTypes(shape, type)),
  ];
}

/** Dotted keys that code outside the configuration's own folder reads. */
function readKeys(t: TestContext): readonly string[] {
  const copy = mkdtempSync(join(tmpdir(), "kodiai-config-keys-"));
  t.after(() => rmSync(copy, { recursive: true }));
  cpSync(join(ROOT, "src"), join(copy, "src"), {
    recursive: true,
    filter: (path) => !path.endsWith(".test.ts"),
  });
  for (const name of ["node_modules", "package.json"]) symlinkSync(join(ROOT, name), join(copy, name));
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8")) as {
    readonly compilerOptions: object;
  };
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  const schema = readFileSync(join(ROOT, SCHEMA), "utf8");
  assert.ok(schema.includes(TYPE));
  writeFileSync(
    join(copy, SCHEMA),
    schema.replace(TYPE, keylessTypes(CONFIG_OUTLINE, "RepoConfig").join("\n")),
  );
  const { stdout } = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["--pretty", "false"], {
    cwd: copy,
    encoding: "utf8",
  });
  const errors = stdout.split("\n").filter((line) => !line.startsWith("src/config/repo-config/"));
  return listLeaves()
    .map(({ key }) => key)
    .filter((key) => errors.some((error) => isAbout(error, key)));
}

/** A key that is read by its name, or one whose name is a value in the code or a part of another type. */
function isAbout(error: string, key: string): boolean {
  const names = key.split(".");
  const section = ["RepoConfig", ...names.slice(0, -1)].join("_");
  const [name = ""] = names.slice(-1);
  return (
    error.includes(`Property '${name}' does not exist on type '${section}'`) ||
    error.includes(`"${name}"`) ||
    error.includes(`can't be used to index type '${section}'`) ||
    new RegExp(`'${section}' is missing .*: .*\\b${name}\\b`).test(error)
  );
}

test("code reads every key", (t) => {
  const all = listLeaves().map(({ key }) => key);
  assert.deepEqual(readKeys(t), all);
});
