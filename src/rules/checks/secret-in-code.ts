/** Reports credentials on added lines by kind and place. The value never appears in a title or a detail. */
import { shownLines } from "../lines/shown-lines.ts";
import { isWorkflow } from "../../base/path-kinds.ts";
import { isMarkedAsTest, isReportedSecret, mayBeSampleSecret } from "../../base/secrets/reported-secret.ts";
import type { FileView, LineRule, RuleMatch } from "../rule.ts";
import { secretLabel } from "../../base/secrets/secret-label.ts";
import { findCertainSecrets, mayHoldSecrets, PROVIDER_KINDS } from "../../base/secrets/secret-patterns.ts";

/** A comment or a name above a key says what it is for. */
const LINES_ABOVE = 2;

/** A provider's format may still be a live key, so it is shown. */
const FIX_IN_TEST =
  "Use a value that no one can take for a credential, or one that the test makes. If it was ever a real one, revoke it.";

const KEY_HEADER = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY|LS0tLS1CRUdJTi/;

/** Lines after a private key's header, which tell a key from a mention of one. */
const KEY_LOOKAHEAD_LINES = 3;

export const secretInCode: LineRule = {
  kind: "line",
  id: "secret-in-code",
  title: "Hard-coded credential",
  severity: "critical",
  proof: "credential",
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
      const isOnLine = start < line.text.length || (kind === "private-key" && KEY_HEADER.test(line.text));
      if (!isOnLine || !isReportedSecret(kind, line.text, file)) continue;
      const isForTests = mayBeSampleSecret(file) || isMarkedAsTest(textsAbove(line, file), file.path);
      // Everyone makes keys for tests; only the issuer gives out a token of its format.
      if (!isForTests || PROVIDER_KINDS.has(kind))
        return matchOf(line.line, kind, { path: file.path, isForTests });
    }
    return null;
  },
};

/** The line, plus the lines after a private key's header. */
function textToRead(line: { readonly line: number; readonly text: string }, file: FileView): string {
  if (!/-----BEGIN [A-Z ]{0,20}PRIVATE KEY/.test(line.text)) return line.text;
  const shown = shownLines(file);
  const after = Array.from({ length: KEY_LOOKAHEAD_LINES }, (_, index) => shown.get(line.line + 1 + index));
  return [line.text, ...after.filter((text) => text !== undefined)].join("\n");
}

/** The line and those above it. */
function textsAbove(
  { line, text }: { readonly line: number; readonly text: string },
  file: FileView,
): readonly string[] {
  const shown = shownLines(file);
  const above = Array.from({ length: LINES_ABOVE }, (_, index) => shown.get(line - 1 - index) ?? "");
  return [text, ...above];
}

/**
 * Critical only where the format proves a credential. A random value under a secret's name can be a development key, and
 * workflows often start their own database with a password that lives only as long as the run.
 */
function matchOf(
  line: number,
  kind: string,
  { path, isForTests }: { readonly path: string; readonly isForTests: boolean },
): RuleMatch {
  const title = `Hard-coded credential: ${secretLabel(kind)}`;
  if (isForTests) return { line, title, severity: "medium", proof: null, fix: FIX_IN_TEST };
  if (PROVIDER_KINDS.has(kind) || kind === "private-key") return { line, title };
  return { line, title, severity: isWorkflow(path) ? "medium" : "major", proof: null };
}
