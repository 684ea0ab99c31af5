import assert from "node:assert/strict";
import { test } from "node:test";
import { parseConfigTree } from "./parse-config.ts";
import { renderStarterConfig } from "./render-default-config.ts";

/** A commented key is a `#` with no space after it. */
const COMMENTED_KEY = /^( *)#(?=\w+:)/gm;

test("the starter file sets no key and has no problems", () => {
  const tree = parseConfigTree([{ path: ".kodiai.yml", text: renderStarterConfig() }]);
  assert.deepEqual(tree.problems, []);
  assert.equal(tree.root.isSet("review"), false);
  assert.match(renderStarterConfig(), /^# yaml-language-server: \$schema=\.\/\.kodiai\.schema\.json\n/);
});

test("with every key uncommented the starter file is valid and sets every key", () => {
  const starter = renderStarterConfig();
  const text = starter.replace(COMMENTED_KEY, "$1");
  const tree = parseConfigTree([{ path: ".kodiai.yml", text }]);
  assert.deepEqual(tree.problems, []);
  assert.equal(starter.match(COMMENTED_KEY)?.length, 19);
  for (const key of [
    "review.mode",
    "review.patterns.ignore",
    "review.triggers.onSynchronize",
    "model",
    "floor.rules.empty-catch",
    "fileCategories.test",
  ]) {
    assert.ok(tree.root.isSet(key), key);
  }
});

test("each key can be uncommented on its own", () => {
  const lines = renderStarterConfig().split("\n");
  for (const [index, line] of lines.entries()) {
    if (!line.match(COMMENTED_KEY)) continue;
    const text = lines.with(index, line.replace(COMMENTED_KEY, "$1")).join("\n");
    assert.deepEqual(parseConfigTree([{ path: ".kodiai.yml", text }]).problems, [], line);
  }
});

test("the starter file shows the default budgets", () => {
  const text = renderStarterConfig();
  assert.match(text, /\n {2}# Limit for one review\. The default is 2; .*\n {2}#perReviewUsd: 2\n/);
  assert.match(
    text,
    /\n {2}# Limit per repository and day\. The default is 50; .*\n {2}#perRepositoryDayUsd: 50\n/,
  );
});
