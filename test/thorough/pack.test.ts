/** `kodiai pack` in its variations: hostile contents, equal bytes everywhere, budgets, mistakes and interrupts. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { countO200kTokens } from "../../src/tokenizer/count-o200k-tokens.ts";
import { BIN } from "../support/built-program.ts";
import { repository, folder, type Packed, pack, reasonOf, blockOf } from "../support/pack-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";

/** All artifacts, without the only part that differs from run to run. */
function comparable({ files }: Packed): readonly (readonly [string, string])[] {
  return [...files].map(([name, text]) => [name, text.replace(/"timings": \{[^}]*\}/, "")]);
}

test("hostile contents are bounded, and can't leave their fences", async () => {
  const text = (await pack("hostile", ["--fill"])).files.get("pr-context.txt") ?? "";
  assert.match(
    text,
    /`````[a-z]*\n1 \/\/ ````\n2 \/\/ ```\n3 \/\/ <\/file>\n4 \/\/ # Omitted\n5 \/\/ changed\n`````\n\n/,
  );
  assert.match(text, /```typescript\n1 export const marked = 1;\r\n2 export const crlf = 2;\r\n```/);
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
  assert.match(uncommitted.files.get("pr-context.txt") ?? "", /to uncommitted work[^]*^\+1 broken$/m);
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

test("a long related file is shown by its parts with their lines, unless the budget is to be filled", async () => {
  const lean = await pack("lean");
  assert.equal(reasonOf(lean, "src/report.ts"), "reduced:pieces");
  const block = blockOf(lean, "src/report.ts");
  assert.match(block, /^## src\/report\.ts \(dependent, only the parts about the change\)\n/);
  assert.match(
    block,
    /\[… lines left out\]\n247 export function sum\(\) \{\n248 {3}return round\(total\(\[2\]\)\);\n249 \}\n```/,
  );
  assert.doesNotMatch(block, /heading/);
  const filled = await pack("filled", ["--fill"]);
  assert.equal(reasonOf(filled, "src/report.ts"), undefined);
  assert.match(blockOf(filled, "src/report.ts"), /\n4 export function heading\(\) \{\n/);
  assert.ok(filled.report.tokens.final > lean.report.tokens.final);
});

test("lines of the diff have their numbers after the change, removed lines those before it", async () => {
  const text = (await pack("numbers")).files.get("pr-context.txt") ?? "";
  assert.match(
    text,
    /\n@@ -41,7 \+41,7 @@[^\n]*\n(?: 4\d .*\n){3}-44 {3}return items\.length;\n\+44 {3}return round\(items/,
  );
});

test("Kotlin: related code is shown by functions, and says what it uses", async () => {
  const { path } = repository;
  const price = "package shop\n\nfun price(net: Int): Int {\n    return net\n}\n";
  const lines = Array.from({ length: 400 }, (_, index) => `        step(${index})`).join("\n");
  repository.git("checkout", "--quiet", "-b", "kotlin", "main");
  repository.write("shop/Price.kt", price);
  repository.write(
    "cart/Cart.kt",
    `package cart\n\nimport shop.price\n\nclass Cart {\n    fun long() {\n${lines}\n    }\n\n    fun total(): Int {\n        return price(1)\n    }\n}\n`,
  );
  repository.commit("price");
  repository.write("shop/Price.kt", price.replace("net: Int)", "net: Int, year: Int)"));
  repository.commit("year");
  const packed = await pack("kotlin", ["--commit", "kotlin"], { cwd: path });
  repository.git("checkout", "--quiet", "feature");
  assert.equal(packed.code, 0, packed.stderr);
  const block = blockOf(packed, "cart/Cart.kt");
  assert.match(block, /- lines 409-411: uses `price`, changed in shop\/Price\.kt:3; certain\n/);
  assert.match(block, /\n410 +return price\(1\)\n/);
  assert.doesNotMatch(block, /step\(200\)/);
});

test("one commit or a range can be packed", async () => {
  const commit = await pack("commit", ["--commit", "feature"]);
  assert.equal(commit.code, 0, commit.stderr);
  const range = await pack("range", ["--range", "main..feature"]);
  assert.equal(range.files.get("pr-context.txt"), commit.files.get("pr-context.txt"));
  const both = await pack("both", ["--commit", "feature", "--worktree"]);
  assert.equal(both.code, 2);
  assert.match(both.stderr, /--commit and --worktree can't be combined: each chooses a change/);
});
