/** Every row of every analyser's table explains itself, and the tool reports what its examples say. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { readExamples } from "../support/rule-examples.ts";
import { titleFault } from "../support/title-fault.ts";
import { languageOf } from "../../src/languages/language-of.ts";
import { ALL_ANALYSERS } from "../../src/linters/all-analysers.ts";
import type { Analyser, ChecksByPath } from "../../src/linters/analyser.ts";
import { TYPE_RULE_IDS } from "../../src/config/repo-config/type-rules.ts";
import type { AnalysedFile, FileCheck } from "../../src/linters/engine.ts";

// Each check of a script instantiates ShellCheck's 17 MB. V8 checks all of them each time unless it checks a function at its first call.
setFlagsFromString("--wasm-lazy-validation");

/** Longer than any run takes on a busy machine. */
const PATIENT = { maxCpuSeconds: 120, signal: new AbortController().signal };

type Check = (files: readonly AnalysedFile[]) => Promise<ChecksByPath>;

async function checkWith(analyser: Analyser): Promise<Check> {
  if (analyser.kind === "program") {
    const program = await analyser.load();
    return async (files) => {
      const reading = await program.check(files, PATIENT);
      assert.ok(reading.kind === "read", JSON.stringify(reading));
      return reading.value;
    };
  }
  const engine = await analyser.load();
  return async (files) => {
    const found = new Map<string, FileCheck>();
    for (const file of files) {
      const check = await engine.check(file);
      if (check !== null) found.set(file.path, check);
    }
    return found;
  };
}

test("every analyser is listed once", () => {
  const names = ALL_ANALYSERS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

for (const analyser of ALL_ANALYSERS) {
  const rules = await analyser.rules();
  const ids = rules.map(({ id }) => id);

  test(`${analyser.name}: every rule is listed once and explains itself`, () => {
    assert.equal(new Set(ids).size, ids.length);
    for (const { id, title, why, fix } of rules) {
      for (const sentence of [why, fix]) assert.match(sentence, /^[A-Z`].*[.!?)]$/s, id);
      // Lists of rules have no message to take a name from.
      const listed = typeof title === "string" ? title : title("");
      assert.ok(listed.length <= 80, `${id}: a title fits one line`);
      assert.equal(titleFault(listed), null, id);
      const { bad, good } = readExamples(`${analyser.name}/${id}`);
      assert.ok(bad.length >= 1 && good.length >= 1, `${id}: examples`);
    }
  });

  test(`${analyser.name}: reports what the examples say`, async () => {
    const check = await checkWith(analyser);
    // Each example is a file of its own, in a folder that names it.
    // Those with types have a test of their own.
    const untyped = rules.filter(({ id }) => !TYPE_RULE_IDS.has(`${analyser.name}/${id}`));
    const examples = untyped.flatMap(({ id, title, accepts }) => {
      const { bad, good } = readExamples(`${analyser.name}/${id}`);
      return [...bad, ...good.map((example) => ({ ...example, line: null }))].map(
        ({ line, files: [file] }, index) => {
          const { path = "", after: text = "" } = file ?? {};
          const inFolder = `${id.replaceAll("/", "-")}-${index}/${path}`;
          return {
            id,
            title,
            accepts,
            line,
            file: { path: inFolder, language: languageOf(path), text: text ?? "" },
          };
        },
      );
    });
    for (const { file } of examples) assert.ok(analyser.isFor(file), file.path);
    const found = await check(examples.map(({ file }) => file));
    const wrong = examples.flatMap(({ id, line, file, title, accepts }) => {
      const all = found.get(file.path)?.diagnostics ?? [];
      const lines = file.text.split("\n");
      const own = all.filter(
        ({ rule, message, line: at }) =>
          rule === id &&
          accepts?.({
            message,
            line: lines[at - 1] ?? "",
            next: lines[at] ?? "",
            text: file.text,
            from: at,
          }) !== false,
      );
      const titles = own.map(({ message }) => (typeof title === "string" ? title : title(message)));
      const faults = titles.map(titleFault).filter((fault) => fault !== null);
      if (faults.length > 0) return faults.map((fault) => `${id}: ${fault}`);
      const isRight = line === null ? own.length === 0 : own.some((each) => each.line === line);
      const got = all.map((each) => `${each.rule}:${each.line}`).join(", ");
      return isRight ? [] : [`${file.path}: expected ${line ?? "nothing"}, got ${got || "nothing"}`];
    });
    assert.deepEqual(wrong, []);
    const all = [...found.values()].flatMap(({ diagnostics }) => diagnostics);
    const unselected = all.filter(({ rule }) => !ids.includes(rule));
    assert.deepEqual(unselected, [], "only rules of the table");
  });
}
