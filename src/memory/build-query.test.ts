import assert from "node:assert/strict";
import { test } from "node:test";
import { analysisOf, changedFile, changeOf } from "../../test/support/analysis-fixtures.ts";
import type { Change } from "../review/change/change.ts";
import { buildQuery } from "./build-query.ts";
import { assertLinear } from "../../test/support/assert-linear.ts";

function queryOf(change: Change): string {
  return buildQuery({ change, analysis: analysisOf(change) });
}

test("the query has the title, body, type, languages, risks, author tier, paths and identifiers", () => {
  const change = changeOf(
    [
      changedFile({
        path: "src/auth/login.ts",
        lines: [
          "+  const session = await openSession(user.passwordHash);",
          "+  if (session) return session;",
        ],
      }),
      changedFile({ path: "src/ui/button.tsx", lines: ["+export const Button = () => <b />;"] }),
      changedFile({ path: "package-lock.json", lines: ['+{ "secretNameOfLockfile": 1 }'] }),
    ],
    { title: "fix: sessions expire", body: "<!-- template -->\n## Why\nPeople stay **logged in**." },
  );
  assert.equal(
    queryOf(change),
    "fix: sessions expire · Why People stay logged in . · [fix] · tsx typescript · " +
      "Touches authentication or authorization, Changes dependencies · regular · src/auth/login.ts src/ui/button.tsx · " +
      "openSession session passwordHash Button user",
  );
});

test("changed tests count only without source files", () => {
  const tests = changedFile({ path: "test/login.test.ts", lines: ["+checkTheLogin();"] });
  assert.match(queryOf(changeOf([tests])), /checkTheLogin/);
  const source = changedFile({ path: "src/login.ts", lines: ["+doTheLogin();"] });
  assert.doesNotMatch(queryOf(changeOf([tests, source])), /checkTheLogin|login\.test/);
});

test("secrets and random data stay out", () => {
  const token = `ghp_${"a1B2c3D4".repeat(4)}abcd`;
  const change = changeOf(
    [changedFile({ path: "src/a.ts", lines: [`+const t = "${token}";`, "+const h = x9f8e7d6c5;"] })],
    { title: `use ${token}`, body: `token ${token}` },
  );
  assert.doesNotMatch(queryOf(change), /a1B2|x9f8/);
});

const HOSTILE: readonly (readonly [string, string])[] = [
  ["equal letters", "a".repeat(5_000_000)],
  ["comment openings", "<!--".repeat(25_000)],
  ["spaces", " ".repeat(100_000)],
  ["stars", "*".repeat(100_000)],
  ["dollars", "$".repeat(100_000)],
  ["names", Array.from({ length: 20_000 }, (_, index) => `name${index}Of`).join(" ")],
];

for (const [name, text] of HOSTILE)
  test(`hostile text is cheap and the query stays short: ${name}`, () => {
    assertLinear(text, (part) => {
      const path = `src/${part.slice(0, 4_000)}.ts`;
      const files = [changedFile({ path, lines: [`+${part}`, `+${part}`] })];
      const change = changeOf(files, { title: part, body: part });
      const query = buildQuery({ change, analysis: analysisOf(changeOf(files)) });
      assert.ok(query.length <= 800, String(query.length));
    });
  });
