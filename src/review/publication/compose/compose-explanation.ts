/** Explains a finding from the facts: its rule, its code, its life, and what people can do about it. A model's answer goes above them. */
import { count } from "../../../base/count.ts";
import { maskSecrets } from "../../../base/secrets/mask-secrets.ts";
import { type Severity, SEVERITY_LABELS } from "../../../base/severity.ts";
import type { FindingSource } from "../../findings/finding.ts";
import { SECRET_RULES } from "../../findings/secret-rules.ts";
import { ANSWER_WORDS } from "../words.ts";
import { renderPathLink, ruleUrl, safeUrl } from "../render/links.ts";
import { cutChars, item } from "../render/list-item.ts";
import { title } from "../render/markdown-blocks.ts";
import { codeSpan, fence, neutralise } from "../render/safe-markdown.ts";

/** A finding as the ledger has it. */
export type ExplainedFinding = {
  readonly number: number;
  readonly title: string;
  readonly severity: string;
  readonly category: string;
  readonly source: string;
  readonly rule: string | null;
  readonly path: string;
  /** Null, like the lines, for a finding that isn't anchored in the change. */
  readonly side: "new" | "old" | null;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly state: string;
  /** The head whose lines its place counts. */
  readonly head: string;
  readonly suggestion: string | null;
  readonly url: string | null;
};

/** A change of a finding's state. The actor is a login, or Kodiai. */
export type ExplainedEvent = {
  readonly state: string;
  readonly reason: string;
  readonly actor: string;
  readonly head: string;
  /** Milliseconds since 1970. */
  readonly at: number;
};

export type ExplanationInput = {
  readonly finding: ExplainedFinding;
  /** As it was reported; "" if it isn't known. */
  readonly reasoning: string;
  /** Null for a finding without a rule, or of a rule that this version doesn't have. */
  readonly rule: { readonly title: string; readonly why: string; readonly fix: string } | null;
  /** The whole file at the finding's head; null if it can't be read. */
  readonly fileText: string | null;
  /** Oldest first. */
  readonly events: readonly ExplainedEvent[];
  /** A model's answer, as Markdown that is safe to publish; null without one. */
  readonly answer: string | null;
  /** Whether `fix` works here. */
  readonly mayFix: boolean;
  /** How people address Kodiai, such as "@kodiai". */
  readonly mention: string;
  readonly repositoryUrl: string | null;
  /** Where the built-in rules are described. */
  readonly rulesUrl: string | null;
};

/** The thread shows the same lines above. */
const MAX_EVIDENCE_LINES = 20;
const MAX_EVIDENCE_CHARS = 300;

/** The newest. A finding changes its state with a push or a person's word, so few have more. */
const MAX_EVENTS = 12;

/** The actor of events that no person caused; as remember-findings.ts writes it. */
const OWN_ACTOR = "kodiai";

export function composeExplanation(input: ExplanationInput): string {
  const { answer, finding } = input;
  const facts = [
    headingOf(finding),
    ...ruleOf(input),
    ...reasoningIn(input),
    ...evidenceOf(input),
    ...lifeOf(input),
    nextSteps(input),
  ];
  const parts = answer === null ? facts : [answer.trim(), "---", ...facts];
  return parts.join("\n\n");
}

/** "**(3) Major: Title**", and below it its place, category and origin. */
function headingOf(finding: ExplainedFinding): string {
  const label = SEVERITY_LABELS[finding.severity as Severity] ?? finding.severity;
  const url = finding.url === null ? null : safeUrl(finding.url);
  const number = url === null ? `(${finding.number})` : `[(${finding.number})](${url})`;
  return `**${number} ${label}: ${title(finding.title)}**`;
}

/** Sources as people know them. */
const ORIGINS: Readonly<Record<FindingSource, string>> = {
  floor: "built-in rule",
  analyser: "linter",
  sarif: "another tool",
  model: "the model",
  bump: "dependency check",
};

function ruleOf({ finding, rule, rulesUrl, repositoryUrl }: ExplanationInput): readonly string[] {
  const { source, category } = finding;
  const origin = ORIGINS[source as FindingSource] ?? source;
  const link = finding.rule === null ? origin : `${origin} ${linkRule(finding, finding.rule, rulesUrl)}`;
  const facts = [placeOf(finding, repositoryUrl), item(category), `reported by ${link}`].join(" · ");
  if (rule === null) return [facts];
  return [facts, `**The rule:** ${withPeriod(item(rule.title))} ${item(rule.why)} ${item(rule.fix)}`.trim()];
}

function linkRule({ source }: ExplainedFinding, id: string, rulesUrl: string | null): string {
  // Only these two fields decide about the address.
  const url = ruleUrl({ source, rule: id } as Parameters<typeof ruleUrl>[0], { rulesUrl });
  return url === null ? codeSpan(id) : `[${codeSpan(id)}](${url})`;
}

/** A built-in rule's reasons are those of the rule, and a model's answer has them in other words. */
function reasoningIn({ reasoning, rule, answer }: ExplanationInput): readonly string[] {
  const text = neutralise(maskSecrets(reasoning));
  return answer === null && rule === null && text !== "" ? [text] : [];
}

function placeOf(
  { path, side, startLine, endLine, head }: ExplainedFinding,
  repositoryUrl: string | null,
): string {
  if (startLine === null || endLine === null) return codeSpan(path);
  // Removed lines are on the base, whose commit the ledger doesn't have.
  const folderUrl = repositoryUrl === null || side !== "new" ? null : `${repositoryUrl}/blob/${head}`;
  const link = renderPathLink(path, { path, startLine, endLine }, folderUrl);
  return side === "old" ? `${link} (removed code)` : link;
}

function evidenceOf({ finding, fileText }: ExplanationInput): readonly string[] {
  const { rule, side, startLine, endLine, head } = finding;
  if (startLine === null || endLine === null || side !== "new") return [];
  const heading = `**The code** at ${codeSpan(head.slice(0, 12))}:`;
  if (rule !== null && SECRET_RULES.has(rule))
    return [`${heading} not repeated here, because the finding is about a secret.`];
  if (fileText === null) return [`${heading} it can't be read any more.`];
  // Masked as a whole, because a key spans lines and its middle doesn't look like one.
  const all = maskSecrets(fileText)
    .split(/\r?\n/)
    .slice(startLine - 1, endLine);
  const shown = all.slice(0, MAX_EVIDENCE_LINES).map((line) => cutChars(line, MAX_EVIDENCE_CHARS));
  const rest = all.length - shown.length;
  if (rest > 0) shown.push(`… ${count(rest, "more line")}`);
  return all.length === 0
    ? [`${heading} the file has fewer lines now.`]
    : [heading, fence(shown).join("\n").trim()];
}

function lifeOf({ events, finding }: ExplanationInput): readonly string[] {
  const left = events.length - MAX_EVENTS;
  const entries = [
    ...(left > 0 ? [`- … ${count(left, "earlier event")}`] : []),
    ...events.slice(-MAX_EVENTS).map(describeEvent),
  ];
  const state = `**State:** ${describeState(finding.state)}`;
  return entries.length === 0 ? [state] : [`${state}\n${entries.join("\n")}`];
}

/** "- 2026-01-31: dismissed by `ada`: we need this". A name in a code span notifies no one. */
function describeEvent({ state, reason, actor, head, at }: ExplainedEvent): string {
  const day = new Date(at).toISOString().slice(0, 10);
  const commit = head === "" ? "" : ` at ${codeSpan(head.slice(0, 12))}`;
  if (actor === OWN_ACTOR) return `- ${day}: ${item(reason)}${commit}`;
  const by = actor === "person" ? "a person" : codeSpan(actor);
  const words = reason === "" ? "" : `: ${item(reason)}`;
  return `- ${day}: ${describeState(state)} by ${by}${commit}${words}`;
}

const STATES: Readonly<Record<string, string>> = {
  open: "open",
  addressed: "its code was changed; no review has checked it since",
  verified: "fixed, and a later review verified it",
  contested: ANSWER_WORDS.contested,
  waived: ANSWER_WORDS.waived,
  expired: "no longer part of the change",
};

function describeState(state: string): string {
  return STATES[state] ?? item(state);
}

/** Findings in these states need nothing from anyone. */
const SETTLED: ReadonlySet<string> = new Set(["verified", "expired", "waived"]);

function nextSteps({ finding, mayFix, mention }: ExplanationInput): string {
  const { number, state, suggestion } = finding;
  if (SETTLED.has(state)) return "Nothing to do: the finding is settled.";
  const command = (words: string): string => codeSpan(`${mention} ${words}`);
  const fix = !mayFix
    ? suggestion === null
      ? []
      : ["Its comment has a verified suggestion that you can commit."]
    : suggestion === null
      ? [`${command(`fix ${number}`)} lets a model fix it.`]
      : [`${command(`fix ${number}`)} commits its verified suggestion.`];
  const settle = `If it's wrong, ${command(`dismiss ${number} REASON`)} dismisses it. If it's right but acceptable, ${command(`waive ${number} REASON`)} accepts it.`;
  return [...fix, settle].join(" ");
}

function withPeriod(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The answer to `explain` outside of a thread without a number. */
export function composeExplainUsage(numbers: readonly number[], mention: string): string {
  const named = numbers.length === 0 ? "" : ` This pull request has findings ${listed(numbers)}.`;
  return `Which finding? Reply ${codeSpan(`${mention} explain`)} in its thread, or name its number: ${codeSpan(`${mention} explain ${numbers[0] ?? 1}`)}.${named}`;
}

/** More would not be read. */
const MAX_LISTED_NUMBERS = 20;

function listed(numbers: readonly number[]): string {
  const shown = numbers.slice(0, MAX_LISTED_NUMBERS).join(", ");
  return numbers.length > MAX_LISTED_NUMBERS ? `${shown} and more` : shown;
}
