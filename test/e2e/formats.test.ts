/** `kodiai review` from the outside: real findings on the right lines in all six formats. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { Ajv } from "ajv";
import { assertInertHtml } from "../support/dashboard/assert-inert-html.ts";
import { isAll } from "../support/extent.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { sampleRepositories } from "../support/sample-repositories.ts";
import { testRepository } from "../support/test-repository.ts";
import { byPlace, placesOf, CONTENTS, reviewOfOrders } from "../support/format-fixtures.ts";

const project = dirname(dirname(import.meta.dirname));

const samples = sampleRepositories();

after(() => samples.forEach(({ made }) => made.remove()));

type SarifLog = {
  runs: {
    results: {
      ruleId: string;
      locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[];
    }[];
  }[];
};

for (const [index, { name, made, expected }] of samples.entries()) {
  /** A format renders what JSON holds, so the formats take turns with the samples. With KODIAI_TEST_ALL each renders all of them. */
  const testInTurn = (turn: number, title: string, work: () => Promise<void>): void => {
    if (isAll || index === turn % samples.length) test(`${name}: ${title}`, work);
  };
  const review = (...args: string[]) => runKodiai(["review", "--no-memory", ...args], { cwd: made.path });

  test(`${name}: JSON holds exactly the known mistakes on their lines`, async () => {
    const { code, stdout, stderr } = await review("--format", "json");
    assert.deepEqual([code, stderr], [0, ""]);
    const output = JSON.parse(stdout);
    assert.deepEqual(placesOf(output.findings), expected.toSorted(byPlace));
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

test("without a model, a review says what there is to read, which exports change and what needs attention", async (t) => {
  // The terminal wraps long lines.
  const shown = (await reviewOfOrders(t, "terminal")).replaceAll(/\s+/g, " ");
  assert.ok(shown.includes(`Contents ${CONTENTS.join(" ")}`), shown);
});
