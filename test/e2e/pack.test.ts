/** `kodiai pack`, from commits to files: equal bytes everywhere, nothing secret, every file accounted for, and its budget. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { PACK_REASONS } from "../../src/review/pack/context-pack.ts";
import { countO200kTokens } from "../../src/tokenizer/count-o200k-tokens.ts";
import { BIN } from "../support/built-program.ts";
import { runKodiai, type RunResult } from "../support/run-kodiai.ts";
import { type TestRepository, testRepository } from "../support/test-repository.ts";

/** Looks like a real one, but isn't. */
const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
const ENV_VALUE = "zq8Xw2Lp9Vt4Kd7RmB3n";

const CART_LINES = Array.from({ length: 40 }, (_, index) => `  const line${index} = ${index};`).join("\n");
const cart = (body: string): string =>
  `import { round } from "./money.ts";\n\nexport function total(items: number[]) {\n${CART_LINES}\n${body}\n}\n\nexport function unrelated() {\n${CART_LINES.repeat(3)}\n}\n`;

const BASE: Readonly<Record<string, string | Uint8Array>> = {
  "src/cart.ts": cart("  return items.length;"),
  "src/money.ts": "export function round(value: number) {\n  return Math.round(value);\n}\n",
  "src/checkout.ts": 'import { total } from "./cart.ts";\n\nexport const pay = () => total([1]);\n',
  "src/gone.ts": "export const gone = 1;\n",
  "src/weather.ts": "export const rain = true;\n",
  "test/cart.test.ts": 'import { total } from "../src/cart.ts";\n\ntotal([]);\n',
  "test/weather.test.ts": "export const unrelated = 1;\n",
  "docs/guide.md": "# Guide\n",
  ".env": `API_TOKEN=${ENV_VALUE}\n`,
  "package-lock.json": '{ "lockfileVersion": 3 }\n',
  "keys/id_rsa": "not a real key\n",
  "logo.dat": Uint8Array.from([0, 1, 2, 0]),
  "legacy/old.ts": "export const old = 1;\n",
  ".kodiai.yml": 'pack:\n  exclude: ["legacy/**"]\n',
  "hostile/fences.md.ts": "// ````\n// ```\n// </file>\n// # Omitted\n",
  "hostile/marked.ts": "\ufeffexport const marked = 1;\r\nexport const crlf = 2;\r\n",
  "hostile/latin1.ts": Buffer.from("// \xe9t\xe9\n", "latin1"),
  "hostile/line.ts": `export const data = "${"x".repeat(400_000)}";\n`,
  "hostile/equal.ts": `// ${"a".repeat(100_000)}\n`,
};

const CHANGED: Readonly<Record<string, string | Uint8Array>> = {
  "src/cart.ts": cart(`  return round(items.length); // ${TOKEN}`),
  ".env": `API_TOKEN=${ENV_VALUE}9\n`,
  "package-lock.json": '{ "lockfileVersion": 3, "locked": true }\n',
  "keys/id_rsa": "still not a real key\n",
  "src/added.ts": `export const added = "${ENV_VALUE}9";\n`,
  "hostile/fences.md.ts": "// ````\n// ```\n// </file>\n// # Omitted\n// changed\n",
  "hostile/huge.ts": `export const huge = "${"y".repeat(5_000_000)}";\n`,
};

let repository: TestRepository;
let folder: string;

before(() => {
  repository = testRepository();
  folder = mkdtempSync(join(tmpdir(), "kodiai-pack-"));
  for (const [path, text] of Object.entries(BASE)) repository.write(path, text);
  repository.commit("shop");
  repository.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(CHANGED)) repository.write(path, text);
  repository.git("rm", "--quiet", "src/gone.ts");
  repository.commit(`cart: totals are rounded\n\nUses ${TOKEN}.`);
});

after(() => {
  repository.remove();
  rmSync(folder, { recursive: true, force: true });
});

type Packed = RunResult & { readonly files: ReadonlyMap<string, string>; readonly report: Report };

type Report = {
  readonly result: string;
  readonly tokens: { budget: number; baseline: number; final: number; remaining: number };
  readonly counts: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly omissions: readonly { path: string; reason: string; kind: string }[];
};

async function pack(
  name: string,
  args: readonly string[] = [],
  { cwd = repository.path, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Packed> {
  const out = join(folder, name);
  const home = join(folder, "home");
  const result = await runKodiai(["pack", "--out", out, ...args], { cwd, env: { HOME: home, ...env } });
  const names = existsSync(out) ? readdirSync(out).toSorted() : [];
  const files = new Map(names.map((file) => [file, readFileSync(join(out, file), "utf8")]));
  const report = files.get("pr-context.report.json");
  return { ...result, files, report: report === undefined ? ({} as Report) : JSON.parse(report) };
}

/** All artifacts, without the only part that differs from run to run. */
function comparable({ files }: Packed): readonly (readonly [string, string])[] {
  return [...files].map(([name, text]) => [name, text.replace(/"timings": \{[^}]*\}/, "")]);
}

function reasonOf({ report }: Packed, path: string): string | undefined {
  return report.omissions.find((omission) => omission.path === path)?.reason;
}

test("a pack has the change, its files and the code around it, and accounts for every file", async () => {
  const packed = await pack("whole");
  assert.equal(packed.code, 0, packed.stderr);
  assert.deepEqual(packed.report.warnings, []);
  const text = packed.files.get("pr-context.txt") ?? "";
  const headings = [...text.matchAll(/^# (.*)$/gm)].map(([, heading]) => heading);
  assert.deepEqual(
    headings.filter((heading) => heading !== "Guide"),
    ["Change", "Description", "Changed files", "Diff", "Full changed code", "Related code", "Omitted"],
  );
  assert.match(text, /^D src\/gone\.ts \+0 -1$/m);
  assert.match(text, /^## src\/cart\.ts$/m);
  assert.match(text, /^## src\/checkout\.ts \(dependent\)$/m);
  assert.match(text, /^## test\/cart\.test\.ts \(test\)$/m);
  const { tokens, counts } = packed.report;
  assert.equal(countO200kTokens(text), tokens.final);
  assert.equal(tokens.final + tokens.remaining, tokens.budget);
  assert.equal(
    (counts["included"] ?? 0) + (counts["reduced"] ?? 0) + (counts["omitted"] ?? 0),
    counts["candidates"],
  );
  const rows = (packed.files.get("pr-context.related.selection.tsv") ?? "").trimEnd().split("\n").slice(1);
  assert.equal(rows.length, counts["candidates"]);
  const atHead = new Set([...Object.keys(BASE), ...Object.keys(CHANGED)]);
  for (const path of ["src/gone.ts", ...Object.keys(CHANGED)]) atHead.delete(path);
  assert.deepEqual(new Set(rows.map((row) => row.split("\t")[1])), atHead);
  for (const { reason } of packed.report.omissions)
    assert.ok(
      PACK_REASONS.some((known) => known === reason),
      reason,
    );
  for (const [path, reason] of [
    ["docs/guide.md", "filtered:docs"],
    ["test/weather.test.ts", "filtered:tests-not-close"],
    ["logo.dat", "filtered:binary"],
    ["legacy/old.ts", "filtered:config-exclude"],
    [".env", "filtered:env"],
    ["package-lock.json", "filtered:lockfile"],
    ["keys/id_rsa", "filtered:secret"],
  ] as const)
    assert.equal(reasonOf(packed, path), reason, path);
  assert.match(packed.stdout, /^feature against main: [\d,]+ of 272,000 tokens\n/);
});

test("secrets, env files and lock files are in no artifact, not as files and not as hunks", async () => {
  const packed = await pack("secrets", ["--include-tests", "--include-docs"]);
  for (const [name, text] of packed.files) {
    const found = /.*(?:a1B2c3D4|zq8Xw2|real key|lockfileVersion).*/.exec(text)?.[0];
    assert.equal(found, undefined, name);
  }
  assert.ok((packed.report.counts["maskedSecrets"] ?? 0) >= 3);
  assert.match(packed.files.get("pr-context.txt") ?? "", /^M \.env \+1 -1 \(filtered:env\)$/m);
});

test("hostile contents are bounded, and can't leave their fences", async () => {
  const text = (await pack("hostile")).files.get("pr-context.txt") ?? "";
  assert.match(
    text,
    /`````[a-z]*\n\/\/ ````\n\/\/ ```\n\/\/ <\/file>\n\/\/ # Omitted\n\/\/ changed\n`````\n\n/,
  );
  assert.match(text, /```typescript\nexport const marked = 1;\r\nexport const crlf = 2;\r\n```/);
  assert.match(text, /\/\/ été\n/);
  assert.match(text, /x{1000,2000} \[… the line continues\]/);
  assert.ok(Math.max(...text.split("\n").map((line) => line.length)) < 3_000);
});

test("packs are equal twice, in other time zones and locales, in other clones, and with an index", async () => {
  const first = await pack("first", [], { env: { XDG_CACHE_HOME: join(folder, "cache-cold") } });
  const warm = await pack("warm", [], { env: { XDG_CACHE_HOME: join(folder, "cache-cold") } });
  const abroad = await pack("abroad", [], {
    env: {
      TZ: "Asia/Tokyo",
      LC_ALL: "tr_TR.UTF-8",
      LANG: "de_DE.UTF-8",
      XDG_CACHE_HOME: join(folder, "cache-abroad"),
    },
  });
  const clone = join(folder, "a clone elsewhere");
  repository.git("clone", "--quiet", "--branch", "feature", repository.path, clone);
  const cloned = await pack("cloned", ["--base", "origin/main"], { cwd: clone });
  for (const other of [warm, abroad, cloned]) assert.deepEqual(comparable(other), comparable(first));
  // Switching the work tree changes nothing.
  writeFileSync(join(clone, "src/cart.ts"), "broken");
  const dirty = await pack("dirty", ["--base", "origin/main"], { cwd: clone });
  assert.deepEqual(comparable(dirty), comparable(first));
  const uncommitted = await pack("uncommitted", ["--base", "origin/main", "--worktree"], { cwd: clone });
  assert.match(uncommitted.files.get("pr-context.txt") ?? "", /to uncommitted work[^]*^\+broken$/m);
});

test("a smaller budget shows functions, then hunks, then ends with exit code 3 and the lists", async () => {
  const over = await pack("over", ["--budget", "1000"]);
  const whole = await pack("over-not", []);
  // The first needs its diff, with space for the list of omissions. The second has the whole files too. In cart.ts, the
  // shorter of two functions changed.
  const least = over.report.tokens.baseline;
  const files = whole.report.tokens.baseline - least;
  const packs = [over];
  for (const share of [0.2, 1]) {
    const budget = Math.round(least + share * files);
    const packed = await pack(`share-${share}`, ["--budget", String(budget)]);
    assert.ok(packed.report.tokens.final <= budget);
    assert.equal(countO200kTokens(packed.files.get("pr-context.txt") ?? ""), packed.report.tokens.final);
    packs.unshift(packed);
  }
  const reasons = packs.map((packed) => reasonOf(packed, "src/cart.ts"));
  assert.deepEqual(reasons, ["reduced:functions", "reduced:hunks", "over-budget"]);
  assert.equal(over.code, 3);
  assert.equal(over.report.result, "core-over-budget");
  assert.equal(over.files.has("pr-context.txt"), false);
  assert.equal(over.files.size, 7);
  assert.match(over.stdout, /the diff alone needs [\d,]+ tokens, more than the budget of 1,000/);
});

test("mistakes are explained", async () => {
  const foreign = join(folder, "foreign");
  mkdirSync(foreign);
  writeFileSync(join(foreign, "thesis.txt"), "mine");
  const cases = [
    [["--out", foreign], repository.path, /has other files in it, such as thesis\.txt/],
    [["--base", "nowhere"], repository.path, /unknown ref "nowhere"/],
    [["--base", "HEAD"], repository.path, /nothing changed, so there is nothing to pack/],
    [["--budget", "10"], repository.path, /--budget must be a whole number from 1000/],
    [[], folder, /is not in a git repository/],
  ] as const;
  for (const [args, cwd, message] of cases) {
    const { code, stderr } = await runKodiai(["pack", ...args], { cwd, env: { HOME: folder } });
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
  assert.deepEqual(readdirSync(foreign), ["thesis.txt"]);
});

test("without --out, each pack has a new folder in the cache", async () => {
  const env = { HOME: folder, XDG_CACHE_HOME: join(folder, "cache") };
  const { stdout } = await runKodiai(["pack", "--budget", "50000"], { cwd: repository.path, env });
  const path = stdout.trimEnd().split("\n").at(-1) ?? "";
  assert.ok(path.startsWith(join(folder, "cache", "kodiai", "packs", "pack-")), stdout);
  assert.ok(existsSync(path));
});

test("Ctrl-C stops at once, leaves no pack, and says what is kept", async () => {
  // The history never ends.
  const bin = join(folder, "slow-git");
  mkdirSync(bin);
  const git =
    (process.env["PATH"] ?? "").split(delimiter).find((each) => existsSync(join(each, "git"))) ?? "";
  const started = join(folder, "history-started");
  writeFileSync(
    join(bin, "git"),
    `#!/bin/sh\ncase " $* " in *" log "*) touch "${started}"; exec sleep 86400;; esac\nexec ${join(git, "git")} "$@"\n`,
    { mode: 0o755 },
  );
  const out = join(folder, "interrupted");
  const env = { PATH: `${bin}${delimiter}${process.env["PATH"]}`, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  // The branch's own log is read first, so the last commit alone is packed.
  const child = spawn(process.execPath, [BIN, "pack", "--out", out, "--base", "main"], {
    cwd: repository.path,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  assert.equal(code, 130, stderr);
  assert.match(stderr, /interrupted; no pack was written/);
  assert.equal(existsSync(out), false);
});
