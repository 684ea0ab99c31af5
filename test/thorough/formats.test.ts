/** The findings of a diff alone, their ids, and what every format hides and describes. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type JsonFinding, byPlace, placesOf, CONTENTS, reviewOfOrders } from "../support/format-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { sampleRepositories } from "../support/sample-repositories.ts";
import { testRepository } from "../support/test-repository.ts";

const whole = sampleRepositories();
after(() => whole.forEach(({ made }) => made.remove()));

test("ids are the same for the branch, the diff and the next day", async () => {
  const [sample] = whole;
  assert.ok(sample !== undefined);
  const ids = async (...args: string[]) =>
    JSON.parse(
      (await runKodiai(["review", "--no-memory", "-f", "json", ...args], { cwd: sample.made.path })).stdout,
    ).findings.map(({ id }: JsonFinding) => id);
  assert.deepEqual(await ids(), await ids("--range", "main..feature"));
});

test("a secret is hidden in every format, and what is around it is shown", async () => {
  const made = testRepository();
  try {
    const password = ["k3vR9tW2", "xL7mQ4zN"].join("");
    made.commit("root");
    made.write("src/db.ts", `export const url = "postgres://shop:${password}@db.prod-one.net:5432/a";\n`);
    // One finding names all secrets of a file.
    made.write("src/key.ts", `export const apiKey = '${password}${password}'; // Myapp: main\n`);
    made.git("add", "--all");
    for (const format of ["terminal", "markdown", "json"]) {
      const { stdout } = await runKodiai(["review", "--no-memory", "--staged", "--format", format], {
        cwd: made.path,
      });
      const shown = format === "json" ? stdout.replaceAll('\\"', '"') : stdout;
      assert.ok(!stdout.includes(password), format);
      assert.ok(shown.includes('"postgres://shop:[masked]@db.prod-one.net:5432/a"'), stdout);
      assert.ok(shown.includes("const apiKey = '[masked]'; // Myapp: main"), stdout);
    }
  } finally {
    made.remove();
  }
});

test("without a model, Markdown and JSON say what there is to read", async (t) => {
  const markdown = await reviewOfOrders(t, "markdown");
  assert.ok(markdown.includes(CONTENTS.map((line) => `- ${line}\n`).join("")), markdown);
  assert.equal(JSON.parse(await reviewOfOrders(t, "json")).change.summary, CONTENTS.join("\n"));
});

for (const { name, made, expected } of whole) {
  test(`${name}: the same change as a diff, with and without its repository, has the same findings`, async (t) => {
    const diff = made.git("diff", "main...feature");
    const inside = JSON.parse(
      (await runKodiai(["review", "--diff", "-", "-f", "json"], { cwd: made.path, input: diff })).stdout,
    );
    assert.deepEqual(placesOf(inside.findings), expected.toSorted(byPlace));
    const elsewhere = mkdtempSync(join(tmpdir(), "kodiai-alone-"));
    t.after(() => rmSync(elsewhere, { recursive: true }));
    const outside = JSON.parse(
      (await runKodiai(["review", "--diff", "-", "-f", "json"], { cwd: elsewhere, input: diff })).stdout,
    );
    assert.deepEqual(placesOf(outside.findings), expected.toSorted(byPlace));
    assert.ok(outside.receipt.gaps.length > 0, "files that couldn't be read completely are reported");
    assert.equal(outside.receipt.coverage.isComplete, true, "the user gave only a diff");
  });
}
