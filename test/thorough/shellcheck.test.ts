/** No step of a workflow hides another from ShellCheck, in any number of steps. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkScript } from "../support/shellcheck-fixtures.ts";

test("no step hides another, in any number of steps", async () => {
  const steps = (...scripts: readonly string[]): string =>
    `jobs:\n  a:\n    steps:\n${scripts.map((each) => `      - run: |\n${each.replaceAll(/^/gm, "          ")}\n`).join("")}`;
  // Alone, bash only warns about the first one.
  const open = await checkScript(
    ".github/workflows/a.yml",
    steps("cat <<EOF", "mv list.txt", "cat <<EOF\nEOF", "mv other.txt"),
  );
  assert.deepEqual(open, ["SC2224:7", "SC2224:12", "unparsed"]);
  const many = Array.from({ length: 30 }, () => "mv list.txt");
  const found = await checkScript(".github/workflows/a.yml", steps("if true; then", ...many));
  assert.equal(found.filter((each) => each.startsWith("SC2224")).length, 30);
});
