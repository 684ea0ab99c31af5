/** A repository that is reviewed with results of other tools. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type TestRepository, testRepository } from "./test-repository.ts";

/** Not in a format that Kodiai's own rule knows, as gitleaks finds them. */
export const SECRET = "q7Vt2pLx9sKd4wNz8rYb";

const BEFORE = "export function list(db) {\n  return db.all();\n}\n";

const AFTER = `export function list(db) {
  return db.all();
}
export function find(req, db) {
  const { total } = db;
  const { spare } = db;
  const greeting = "${SECRET}";
  return db.query("SELECT * FROM users WHERE id = " + req.params.id, greeting);
}
`;

export function shop(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("src/users.js", BEFORE);
  made.write("main.go", "package main\n");
  made.write("src/lib.rs", "// nothing\n");
  made.commit("first");
  made.git("switch", "--quiet", "--create", "feature");
  made.write("src/users.js", AFTER);
  made.write("main.go", 'package main\n\nfunc main() {\n\tos.Remove("x")\n}\n');
  made.write("src/lib.rs", "// nothing\npub fn port(text: &str) -> u16 {\n    text.parse().unwrap()\n}\n");
  made.commit("second");
  return made;
}

/** Outside the repository, so that the files aren't part of the change. */
export function fileOf(t: TestContext, name: string, text: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-sarif-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

export type JsonFinding = {
  readonly rule: string;
  readonly source: string;
  readonly path: string;
  readonly startLine: number;
  readonly severity: string;
  readonly title: string;
  readonly alsoReportedBy?: readonly { readonly rule?: string }[];
};
