/** Reports credentials on added lines by kind and place. The value never appears in a title or a detail. */
import { shownLines } from "../lines/shown-lines.ts";
import { isWorkflow } from "../../base/path-kinds.ts";
import { isReportedSecret, mayBeSampleSecret } from "../../base/secrets/reported-secret.ts";
import type { FileView, LineRule, RuleMatch } from "../rule.ts";
import { secretLabel } from "../../base/secrets/secret-label.ts";
import { findCertainSecrets, mayHoldSecrets, PROVIDER_KINDS } from "../../base/secrets/secret-patterns.ts";

/** Lines after a private key's header, which tell a key from a mention of one. */
const KEY_LOOKAHEAD_LINES = 3;

export const secretInCode: LineRule = {
  kind: "line",
  id: "secret-in-code",
  title: "Hard-coded credential",
  severity: "critical",
  category: "security",
  why: "Anyone with access to the repository, a fork or a clone can use it. Deleting the line later leaves it in the history.",
  fix: "Revoke it at the provider now, then load the value from the environment or a secret manager.",
  languages: "any",
  inTests: true,
  everywhere: true,
  isFor: ({ addedText }) => mayHoldSecrets(addedText),
  check(line, file) {
    for (const { kind, start } of findCertainSecrets(textToRead(line, file))) {
      // The key itself starts on the line after its header; any other secret there is that line's own finding.
      const isOnLine = kind === "private-key" || start < line.text.length;
      if (isOnLine && isReportedSecret(kind, line.text, file)) return matchOf(line.line, kind, file);
    }
    return null;
  },
};

/** The line, plus the lines after a private key's header. */
function textToRead(line: { readonly line: number; readonly text: string }, file: FileView): string {
  if (!line.text.includes("PRIVATE KEY-----")) return line.text;
  const shown = shownLines(file);
  const after = Array.from({ length: KEY_LOOKAHEAD_LINES }, (_, index) => shown.get(line.line + 1 + index));
  return [line.text, ...after.filter((text) => text !== undefined)].join("\n");
}

/**
 * Critical only where the format proves a credential. A random value under a secret's name can be a development key, and
 * workflows often start their own database with a password that lives only as long as the run.
 */
function matchOf(line: number, kind: string, file: FileView): RuleMatch {
  const isProven = PROVIDER_KINDS.has(kind) || kind === "private-key";
  return {
    line,
    title: `Hard-coded credential: ${secretLabel(kind)}`,
    severity: isProven
      ? mayBeSampleSecret(file)
        ? "must-fix"
        : "critical"
      : isWorkflow(file.path)
        ? "medium"
        : "major",
  };
}
