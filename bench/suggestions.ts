/**
 * Measures how many real edits are accepted as suggestions, and how many still are after each kind of damage in damage.ts. The caller
 * provides the repositories (see public-changes.ts); use some that weren't used for tuning.
 */
import { compareSuggestion } from "../src/reading/compare-suggestion.ts";
import type { SuggestionVerdict } from "../src/review/findings/finding.ts";
import { verifySuggestion } from "../src/review/findings/verify-suggestion.ts";
import { SYNTAX_LANGUAGES } from "../src/syntax/syntax.ts";
import { createInProcessReader } from "../test/support/in-process-reader.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { type Damage, DAMAGES } from "./support/damage.ts";
import { createChance } from "../test/support/chance.ts";
import { publicRepositories } from "./support/public-changes.ts";
import { drawEdits, type RealEdit } from "./support/real-edits.ts";

const COUNTS = { commits: 220, perLanguage: 22 };

type Tally = { count: number; accepted: number };

const reader = createInProcessReader();

export async function suggestions(): Promise<void> {
  const repositories = publicRepositories();
  if (repositories === null) return;
  const chance = createChance(20_261_116);
  const languages: readonly string[] = SYNTAX_LANGUAGES;
  const edits = repositories
    .flatMap((repository) => drawEdits(repository, chance, COUNTS))
    .filter(({ language }) => languages.includes(language));
  const real = { name: "real edits", expects: "cleaned", spoil: textOf } as const;
  for (const damage of [real, ...DAMAGES]) report(damage, await tallyOf(damage, edits));
}

async function tallyOf({ name, expects, spoil }: Damage, edits: readonly RealEdit[]): Promise<Tally> {
  const tally: Tally = { count: 0, accepted: 0 };
  for (const edit of edits) {
    const spoilt = spoil(edit);
    if (spoilt === null || (expects === "refused" && spoilt.trim() === textOf(edit).trim())) continue;
    const verdict = await verdictOf(spoilt, edit);
    const isOffered =
      verdict.kind === "verified" &&
      (expects === "refused" || verdict.replacement.trimEnd() === textOf(edit).trimEnd());
    tally.count++;
    if (isOffered) tally.accepted++;
    if (isOffered !== (expects === "cleaned") && process.env["KODIAI_BENCH_SHOW"] === name)
      console.log(
        `  ${edit.name} ${edit.startLine}: ${JSON.stringify(verdict)}\n${edit.current.join("\n")}\n  →\n${spoilt}\n`,
      );
  }
  return tally;
}

function textOf({ replacement }: RealEdit): string {
  return replacement.join("\n");
}

async function verdictOf(suggestion: string, edit: RealEdit): Promise<SuggestionVerdict> {
  const { path, startLine, endLine, current: lines, text, language } = edit;
  const range = { path, side: "new", startLine, endLine, lines } as const;
  const place = { anchor: { ...range, method: "exact", isChanged: true } as const, text, language };
  const compared = await compareSuggestion(suggestion, place, reader);
  return verifySuggestion(suggestion, place, () => compared?.comparison ?? "not-checked");
}

function report({ name, expects }: Damage, { count, accepted }: Tally): void {
  const share = (100 * accepted) / Math.max(1, count);
  const of = `${name}, ${count}`;
  if (expects === "cleaned") judge(LIMITS.suggestionsRefused, 100 - share, of);
  else judge(name === "last line cut" ? LIMITS.suggestionsCut : LIMITS.suggestionsSpoilt, share, of);
}
