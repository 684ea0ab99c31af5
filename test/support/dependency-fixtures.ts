/** Repositories whose dependencies change, and their registry. */
import { NPM_HOST } from "../../src/base/npm-hosts.ts";
import type { TestContext } from "node:test";
import type { NpmPackage } from "./npm-registry.ts";
import { runKodiai, type RunOptions, type RunResult } from "./run-kodiai.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const PADS: readonly NpmPackage[] = [
  {
    name: "pads",
    version: "1.4.0",
    manifest: { main: "index.js", types: "index.d.ts" },
    files: {
      "index.js": "exports.left = (text) => text;\nexports.right = (text) => text;\n",
      "index.d.ts":
        "export interface Options { width: number }\nexport declare function left(text: string): string;\nexport declare function right(text: string): string;\n",
    },
  },
  {
    name: "pads",
    version: "2.0.0",
    manifest: { main: "index.js", types: "index.d.ts", engines: { node: ">=20" } },
    files: {
      "index.js": "exports.left = (text) => text;\n",
      "lib/install.js": 'const { execFile } = require("node:child_process");\nexecFile("id");\n',
      "index.d.ts": "export declare function left(text: string): string;\n",
      "CHANGELOG.md":
        "# Changelog\n\n## 2.0.0\n\n### Breaking changes\n\n- `right` was removed, @everyone should use `left`.\n\n## 1.4.0\n\n- Old news.\n",
    },
  },
];

/** On a busy machine a look-up can run out of time. Answers are kept, so the next run has fewer to wait for. */
export async function runPatiently(args: readonly string[], options: RunOptions): Promise<RunResult> {
  const result = await runKodiai(args, options);
  const isLate = /no answer in time|"reason":\s*"time"/.test(result.stdout);
  return isLate ? runPatiently(args, options) : result;
}

export const manifestOf = (dependencies: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ name: "shop", private: true, dependencies }, null, 2)}\n`;

export function lockOf(versions: Readonly<Record<string, string>>, urlOf = publicUrl): string {
  const packages = Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [
      `node_modules/${name}`,
      {
        version,
        resolved: urlOf(name, version),
        integrity: `sha512-${Buffer.from(name + version).toString("base64")}`,
      },
    ]),
  );
  const dependencies = Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [name, `^${version}`]),
  );
  return `${JSON.stringify({ name: "shop", lockfileVersion: 3, packages: { "": { name: "shop", dependencies }, ...packages } }, null, 2)}\n`;
}

const publicUrl = (name: string, version: string): string =>
  `https://${NPM_HOST}/${name}/-/${name}-${version}.tgz`;

export const SHOP = `import { left, right } from "pads";

export const label = (text) => left(text);
export const price = (text) => right(text);
`;

export function bumpedShop(t: TestContext): TestRepository {
  const repository = testRepository();
  t.after(() => repository.remove());
  repository.write("package.json", manifestOf({ pads: "^1.4.0" }));
  repository.write("package-lock.json", lockOf({ pads: "1.4.0" }));
  repository.write("src/shop.js", SHOP);
  repository.commit("shop");
  repository.git("checkout", "--quiet", "-b", "bump");
  repository.write("package.json", manifestOf({ pads: "^2.0.0" }));
  repository.write("package-lock.json", lockOf({ pads: "2.0.0" }));
  repository.commit("bump pads");
  return repository;
}

/** The part of the output that these tests read. */
export type Output = {
  readonly dependencies: {
    readonly extent: string;
    readonly confidence: { readonly level: string; readonly reasons: readonly string[] };
    readonly packages: readonly {
      readonly change: { readonly name: string; readonly kind: string; readonly isDirect: boolean };
      readonly uses: {
        readonly places: readonly { readonly path: string; readonly line: number; readonly name: string }[];
      } | null;
      readonly advisories: { readonly kind: string; readonly reason?: string };
    }[];
    readonly unread: readonly { readonly path: string; readonly side: string; readonly problem: string }[];
  } | null;
  readonly findings?: readonly {
    readonly rule?: string;
    readonly path: string;
    readonly startLine: number | null;
  }[];
};

/** A copy of advisories in the OSV format. */
export function advisories(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-advisories-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "npm"));
  const entry = (id: string, events: readonly object[]): string =>
    JSON.stringify({
      id,
      modified: "2026-10-01T00:00:00Z",
      summary: `Trouble in ${id}`,
      database_specific: { severity: "HIGH" },
      affected: [{ package: { ecosystem: "npm", name: "pads" }, ranges: [{ type: "SEMVER", events }] }],
    });
  writeFileSync(
    join(folder, "npm", "GHSA-old0-old0-old0.json"),
    entry("GHSA-old0-old0-old0", [{ introduced: "0" }, { fixed: "2.0.0" }]),
  );
  writeFileSync(
    join(folder, "npm", "GHSA-new0-new0-new0.json"),
    entry("GHSA-new0-new0-new0", [{ introduced: "2.0.0" }]),
  );
  return folder;
}
