/** Kodiai's findings on the pull request with their reasoning, states and people's words about them, and the one under discussion as a whole. */
import type { Guard } from "../../untrusted/guard.ts";
import { showPath } from "../../untrusted/show-path.ts";
import { cutNote, type Fitted, fitLines, fitOnLine, fitProse, leftNote } from "../fit.ts";
import { NOTHING, type RenderedSection } from "../section.ts";
import { MAX_TITLE_CHARS } from "./show-subject.ts";
import type { AskedFinding, Surroundings } from "./surroundings.ts";

/** Of all findings together: about fifteen with their reasoning. */
export const MAX_FINDINGS_CHARS = 12_000;

/** Of one finding's reasoning in the list, so that it can't take the space of the others. */
const MAX_LISTED_BODY_CHARS = 1_000;

/** Of the reasoning under discussion: longer than any that is published. */
const MAX_REASONING_CHARS = 6_000;

/** Of a finding's suggestion. */
const MAX_SUGGESTION_CHARS = 2_000;

const MAX_REASON_CHARS = 500;

/** These need nothing from anyone, so their titles are enough. */
const OVER: ReadonlySet<string> = new Set([
  "verified",
  "expired",
  "waived",
  "contested",
  "suppressed",
  "ignored",
]);

/** Open ones first, by number. */
export function showFindings({ known, finding }: Surroundings, guard: Guard): RenderedSection {
  const others = (known?.findings ?? []).filter(({ number }) => number !== finding?.number);
  if (others.length === 0) return NOTHING;
  const ordered = others.toSorted((a, b) => Number(OVER.has(a.state)) - Number(OVER.has(b.state)));
  const listed = ordered.map((each) => {
    const head = `- ${describe(each, guard)}`;
    const body = OVER.has(each.state) ? "" : fitProse(each.body, MAX_LISTED_BODY_CHARS, guard).text;
    return body === "" ? head : `${head}\n${indent(body)}`;
  });
  const { lines, left, cutChars } = fitLines(listed, { budgetChars: MAX_FINDINGS_CHARS });
  const fenced = guard.fence("your findings", lines.join("\n"));
  return { text: `# Your findings on this pull request\n${fenced}${leftNote(left)}`, cutChars };
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
}

/** "Finding 3 (open, major, correctness) in src/a.ts:1-2: `load` isn't awaited". */
function describe(finding: AskedFinding, guard: Guard): string {
  const { number, severity, category, state } = finding;
  const title = fitOnLine(finding.title, MAX_TITLE_CHARS, guard);
  const place = placeOf(finding, guard);
  return `Finding ${number} (${state}, ${severity}, ${category}) in ${place}: ${title}${wordOf(finding, guard)}`;
}

function placeOf({ path, startLine, endLine }: AskedFinding, guard: Guard): string {
  const range = endLine === null || endLine === startLine ? startLine : `${startLine}-${endLine}`;
  return `${showPath(path, guard)}${startLine === null ? "" : `:${range}`}`;
}

const WORDS: Readonly<Record<string, string>> = { contested: "dismissed", waived: "accepted as it is" };

function wordOf({ state, verdict }: AskedFinding, guard: Guard): string {
  if (verdict === null) return "";
  const reason = fitOnLine(verdict.reason, MAX_REASON_CHARS, guard);
  const by = fitOnLine(verdict.by, MAX_TITLE_CHARS, guard);
  return ` (${WORDS[state] ?? "settled"} by ${by}${reason === "" ? "" : `: "${reason}"`})`;
}

/** The one under discussion. */
export function showFinding({ finding }: Surroundings, guard: Guard): RenderedSection {
  if (finding === null) return NOTHING;
  const { text, cutChars } = fitFinding(finding, guard);
  return { text: `# Finding\n${guard.fence("finding", text)}${cutNote(cutChars)}`, cutChars };
}

function fitFinding(finding: AskedFinding, guard: Guard): Fitted {
  const { number, title, severity, category, rule, state, suggestion } = finding;
  const body = fitProse(finding.body, MAX_REASONING_CHARS, guard);
  const facts = [
    `Finding ${number}: ${fitOnLine(title, MAX_TITLE_CHARS, guard)}`,
    `Place: ${placeOf(finding, guard)}`,
    ...(rule === null ? [] : [`Rule: ${fitOnLine(rule, MAX_TITLE_CHARS, guard)}`]),
    `Severity: ${severity}. Category: ${category}. State: ${state}${wordOf(finding, guard)}.`,
    ...(body.text === "" ? [] : [body.text]),
  ].join("\n");
  if (suggestion === null) return { text: facts, cutChars: body.cutChars };
  const { lines, cutChars } = fitLines(guard.code(suggestion.toWellFormed()).split("\n"), {
    budgetChars: MAX_SUGGESTION_CHARS,
  });
  return {
    text: [facts, "Suggested replacement of these lines:", ...lines].join("\n"),
    cutChars: body.cutChars + cutChars,
  };
}

/** Those that a request is about, each in a fence of its own. */
export function showFindingsToFix(findings: readonly AskedFinding[], guard: Guard): string {
  return findings
    .map((finding) => {
      const { text, cutChars } = fitFinding(finding, guard);
      return `${guard.fence(`finding ${finding.number}`, text)}${cutNote(cutChars)}`;
    })
    .join("\n");
}
