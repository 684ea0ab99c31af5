/** Very long lines: data never makes a review incomplete, source does, and both are searched as far as they are kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

const LONG = "0123456789".repeat(900);

const DATA: Readonly<Record<string, string>> = {
  "logo.svg": `<svg><path d="${LONG}"/></svg>\n`,
  "data/cities.json": `{"cities":"${LONG}é"}\n`,
  "data/cities.csv": `${LONG},1\n`,
  "dist/app.min.js": `var a="${LONG}";\n`,
  "public/bundle.js": `var a="${LONG}";\n`,
  "notebook.ipynb": `{"image/png":"${LONG}"}\n`,
  "seed.sql": `insert into cities values ('${LONG}');\n`,
  "page.html": `<img src="data:image/png;base64,${LONG}">\n`,
  "theme.css": `.logo{background:url(data:image/png;base64,${LONG})}\na{color:red}\n`,
  "vectors.dat": `${LONG}\n`,
};

function repositoryWith(t: { after(clean: () => void): void }, files: Readonly<Record<string, string>>) {
  const made = testRepository();
  t.after(() => made.remove());
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(files)) made.write(path, text);
  made.commit("long lines");
  return made;
}

test("data with long lines is listed as not reviewable and leaves the review complete", async (t) => {
  const made = repositoryWith(t, { ...DATA, "src/a.ts": "export const a = 1;\n" });
  const { code, stdout } = await runKodiai(["review", "-f", "json"], { cwd: made.path });
  assert.equal(code, 0);
  const { receipt, verdict } = JSON.parse(stdout);
  assert.equal(receipt.coverage.isComplete, true);
  assert.equal(verdict.outcome, "clean");
  const unread = new Set<string>(
    receipt.files
      .filter(({ status }: { status: string }) => status !== "reviewed")
      .map(({ path }: { path: string }) => path),
  );
  assert.deepEqual([...unread].toSorted(), Object.keys(DATA).toSorted());
  const terminal = await runKodiai(["review"], { cwd: made.path });
  assert.match(
    terminal.stdout.replaceAll(/\s+/g, " "),
    /data, longer than 4,000 characters\).*If it is source, break the line\./,
  );
});

test("a long line of source makes the review incomplete and names the remedy", async (t) => {
  const made = repositoryWith(t, {
    "src/table.ts": `export const table = "${LONG}";\nexport const b = 1;\n`,
  });
  const { code, stdout } = await runKodiai(["review"], { cwd: made.path });
  assert.equal(code, 3);
  const words = stdout.replaceAll(/\s+/g, " ");
  assert.match(words, /Incomplete review: 1 line in 1 file \(longer than 4,000 characters\) not reviewed/);
  assert.match(words, /Break the line, or mark a generated file with linguist-generated/);
});

test("the beginning of a long line is searched for secrets and hidden characters", async (t) => {
  const key = ["AKIA", "Q5ZGLXW2MPKD6TVR"].join("");
  const made = repositoryWith(t, {
    "data/settings.json": `{"id":"${key}","rest":"${LONG}"}\n`,
    "src/flag.ts": `export const isAdmin = "\u202e${LONG}";\nexport async function f() {}\n`,
  });
  const { stdout } = await runKodiai(["review", "-f", "json"], { cwd: made.path });
  const { findings } = JSON.parse(stdout);
  const found: readonly string[] = findings.map(
    ({ rule, path, startLine }: { rule: string; path: string; startLine: number }) =>
      `${rule} ${path}:${startLine}`,
  );
  assert.deepEqual(found.toSorted(), [
    "hidden-characters src/flag.ts:1",
    "secret-in-code data/settings.json:1",
  ]);
  assert.doesNotMatch(stdout, new RegExp(key));
});
