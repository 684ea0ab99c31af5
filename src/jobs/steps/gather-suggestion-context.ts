/** Reads what suggestions are checked against: the files they would change, and a parser. Nothing when there are none. */
import type { Repository } from "../../repository/repository.ts";
import type { Change } from "../../review/change/change.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { SuggestionContext } from "../../review/findings/judge-findings.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import type { Degradations } from "./optional.ts";
import { readTexts } from "./read-texts.ts";

export type SuggestionSources = {
  readonly change: Change;
  readonly repository: Repository | null;
  readonly loadSyntax: () => Promise<Syntax>;
  readonly degradations: Degradations;
};

export async function gatherSuggestionContext(
  findings: readonly Finding[],
  { change, repository, loadSyntax, degradations }: SuggestionSources,
): Promise<SuggestionContext> {
  const paths = new Set(findings.filter(({ suggestion }) => suggestion !== null).map(({ path }) => path));
  if (paths.size === 0) return { syntax: null, texts: new Map() };
  const files = change.files.filter(({ path }) => paths.has(path));
  const texts = await degradations.optional("file contents", () => readTexts(files, change, repository));
  const syntax = await degradations.optional("syntax trees", loadSyntax);
  return { syntax, texts: texts ?? new Map() };
}
