/** `kodiai review` from the outside: real findings on the right lines in all six formats. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { Ajv } from "ajv";
import { assertInertHtml } from "../support/dashboard/assert-inert-html.ts";
import { isAll } from "../support/extent.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { sampleRepositories } from "../support/sample-repositories.ts";
import { testRepository } from "../support/test-repository.ts";

const project = dirname(dirname(import.meta.dirname));
const samples = sampleRepositories();
after(() => samples.forEach(({ made }) => made.remove()));

type JsonFinding = { path: string; startLine: number; rule: string; id: string };

type SarifLog = {
  runs: {
    results: {
      ruleId: string;
      locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[];
    }[];
  }[];
};

const byPlace = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

for (const [index, { name, made, expected }] of samples.entries()) {
  /** A format renders what JSON holds, so the formats take turns with the samples. With KODIAI_TEST_ALL each renders all of them. */
  const testInTurn = (turn: number, title: string, work: () => Promise<void>): void => {
    if (isAll || index === turn % samples.length) test(`${name}: ${title}`, work);
  };
  const review = (...args: string[]) => runKodiai(["review", "--no-memory", ...args], { cwd: made.path });
  const places = (findings: readonly JsonFinding[]) =>
    findings.map(({ path, startLine, rule }) => `${path}:${startLine} ${rule}`).toSorted(byPlace);

  test(`${name}: JSON holds exactly the known mistakes on their lines`, async () => {
    const { code, stdout, stderr } = await review("--format", "json");
    assert.deepEqual([code, stderr], [0, ""]);
    const output = JSON.parse(stdout);
    assert.deepEqual(places(output.findings), expected.toSorted(byPlace));
    assert.equal(output.receipt.coverage.isComplete, true);
  });

  testInTurn(
    0,
    "the terminal shows each finding under its line, and colours only on a terminal",
    async () => {
      const { stdout } = await review();
      const unnumbered = stdout.replaceAll(/^(\S+ +)\(\d+\) /gm, "$1");
      for (const place of expected) {
        const [at = "", rule = ""] = place.split(" ");
        assert.ok(unnumbered.includes(`${at}  ${rule}`), `${place} in\n${stdout}`);
      }
      assert.match(stdout, new RegExp(`^${expected.length} findings \\(`, "m"));
      assert.doesNotMatch(stdout, /\u001b/);
      const coloured = await runKodiai(["review", "--no-memory"], {
        cwd: made.path,
        env: { FORCE_COLOR: "1" },
      });
      assert.match(coloured.stdout, /\u001b\[/);
    },
  );

  testInTurn(1, "Markdown names every place", async () => {
    const { stdout } = await review("--format", "markdown");
    for (const place of expected) assert.ok(stdout.includes(place.split(" ")[0] ?? ""), place);
    assert.match(stdout, /Review details/);
  });

  testInTurn(2, "SARIF validates against the official schema and has every result", async () => {
    const { stdout } = await review("--format", "sarif");
    const log: SarifLog = JSON.parse(stdout);
    // The published file says "id" as draft 4 did; everything else in it is draft 7.
    const {
      id: _id,
      $schema: _draft,
      ...schema
    } = JSON.parse(
      readFileSync(
        join(project, "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"),
        "utf8",
      ),
    );
    const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
    assert.equal(validate(log), true, JSON.stringify(validate.errors));
    const results = log.runs
      .flatMap(({ results }) => results)
      .map((result) => {
        const place = result.locations[0]?.physicalLocation;
        return `${place?.artifactLocation.uri}:${place?.region.startLine} ${result.ruleId}`;
      });
    assert.deepEqual(results.toSorted(byPlace), expected.toSorted(byPlace));
  });

  testInTurn(3, "workflow commands annotate every place", async () => {
    const { stdout } = await review("--format", "github");
    for (const place of expected) {
      const [path, line] = (place.split(" ")[0] ?? "").split(":");
      assert.match(
        stdout,
        new RegExp(
          `^::(?:error|warning|notice) file=${path?.replaceAll("/", "\\/").replaceAll(".", "\\.")},line=${line},`,
          "m",
        ),
      );
    }
  });

  testInTurn(
    0,
    "the same change as a diff, with and without its repository, has the same findings",
    async () => {
      const diff = made.git("diff", "main...feature");
      const inside = JSON.parse(
        (await runKodiai(["review", "--diff", "-", "-f", "json"], { cwd: made.path, input: diff })).stdout,
      );
      assert.deepEqual(places(inside.findings), expected.toSorted(byPlace));
      const elsewhere = mkdtempSync(join(tmpdir(), "kodiai-alone-"));
      after(() => rmSync(elsewhere, { recursive: true }));
      const outside = JSON.parse(
        (await runKodiai(["review", "--diff", "-", "-f", "json"], { cwd: elsewhere, input: diff })).stdout,
      );
      assert.deepEqual(places(outside.findings), expected.toSorted(byPlace));
      assert.ok(outside.receipt.gaps.length > 0, "files that couldn't be read completely are reported");
      assert.equal(outside.receipt.coverage.isComplete, true, "the user gave only a diff");
    },
  );
}

test("HTML is one file with every finding, which loads and runs nothing, whatever a repository says", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.commit("root");
  made.git("switch", "--quiet", "--create", "feature");
  made.write(
    "src/users.ts",
    "export function find(id: string) {\n  return db.query(`select '</code><img src=x onerror=alert(1)>' where id = ${id}`);\n}\n",
  );
  made.commit("</title><script src=https://evil.example/x.js></script><img src=x onerror=alert(1)>");
  const { code, stdout } = await runKodiai(
    ["review", "--no-memory", "--base", "main", "--format", "html", "--output", "x.html"],
    { cwd: made.path },
  );
  assert.deepEqual([code, stdout], [0, ""]);
  const page = readFileSync(join(made.path, "x.html"), "utf8");
  assertInertHtml(page);
  assert.match(page, /<code>src\/users\.ts:2<\/code>[\s\S]*?sql-from-strings/);
  assert.match(page, /<title>&lt;\/title&gt;&lt;script/);
  assert.doesNotMatch(page, /<script|<link|<img|@import|url\((?!"?data:)/i);
  assert.match(page, /default-src 'none'/);
});

test("ids are the same for the branch, the diff and the next day", async () => {
  const [sample] = samples;
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

test("without a model, a review says what there is to read, which exports change and what needs attention", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("src/orders.ts", "export function listOrders() {\n  return [];\n}\n");
  made.write("src/old.ts", "export function gone() {\n  return 1;\n}\n");
  made.write("src/moved.ts", `export const names = [\n${'  "a",\n'.repeat(20)}];\n`);
  made.commit("root");
  made.git("switch", "--quiet", "--create", "feature");
  made.write(
    "src/orders.ts",
    "export function listOrders() {\n  return [];\n}\n\nexport function findOrder(id: string) {\n  return db.query(`SELECT * FROM orders WHERE id = '${id}'`);\n}\n",
  );
  made.git("rm", "--quiet", "src/old.ts");
  made.git("mv", "src/moved.ts", "src/names.ts");
  made.write("package-lock.json", '{ "lockfileVersion": 3 }\n');
  made.commit("find orders");
  const lines = [
    "1 file to read, 4 changed lines: source (TypeScript). Not counted: 1 lock file, 1 file moved without edits and 1 deleted file.",
    "Adds `findOrder`; removes `gone`.",
    "Needs attention: adds raw SQL (`src/orders.ts`).",
  ];
  const review = async (format: string): Promise<string> =>
    (await runKodiai(["review", "--no-memory", "--base", "main", "--format", format], { cwd: made.path }))
      .stdout;
  // The terminal wraps long lines.
  const shown = (await review("terminal")).replaceAll(/\s+/g, " ");
  assert.ok(shown.includes(`Contents ${lines.join(" ")}`), shown);
  const markdown = await review("markdown");
  assert.ok(markdown.includes(lines.map((line) => `- ${line}\n`).join("")), markdown);
  assert.equal(JSON.parse(await review("json")).change.summary, lines.join("\n"));
});
