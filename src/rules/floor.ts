/**
 * Runs the built-in rules over views of files and turns their matches into findings. Pure: the caller reads files and
 * limits the time. It never decides which findings are published.
 */
import type { Severity } from "../base/severity.ts";
import type { RepoConfig } from "../config/repo-config/schema.ts";
import type { SyntaxNode } from "../syntax/syntax.ts";
import { unreadFile } from "../review/change/added-file.ts";
import { removalGaps, removedLines } from "../review/change/walk-hunks.ts";
import { DESCRIPTION_PATH } from "../review/findings/description-path.ts";
import type { Finding } from "../review/findings/finding.ts";
import { describeRest } from "../review/findings/describe-rest.ts";
import { ignoreReason, noteMissingReason } from "../review/findings/ignore-comment.ts";
import type {
  ChangeView,
  FileTexts,
  FileView,
  FloorRule,
  LineRule,
  RuleMatch,
  SyntaxRule,
  TextRule,
} from "./rule.ts";
import { patternMatches } from "./syntax/pattern-matches.ts";
import { createRuleTree } from "./syntax/rule-tree.ts";
import { lineText, viewFile, withCutLines } from "./view-file.ts";

/** Findings per rule and file; the first one lists the lines of the rest. Judging makes one comment of them. */
const MAX_HITS_PER_RULE = 20;

/** A rule stops after reporting this many lines of a file: the first few are shown, the rest is counted. */
const MAX_LINES_PER_RULE = 100;

/** A longer quote no longer points to a specific place. */
const MAX_QUOTE_LINES = 10;

const DEFAULT_CONFIDENCE = 0.95;

/** Takes the place of a file in findings about the description of the change. It has no lines. */
const DESCRIPTION_VIEW: FileView = viewFile(
  unreadFile(DESCRIPTION_PATH, { mode: "100644", unreadable: "unreadable" }),
  { language: "text", category: "docs" },
);

/** The rule settings of a configuration. */
export type FloorConfig = { readonly values: Pick<RepoConfig, "floor"> };

/** `cut`: rules that were stopped before they reported everything. */
type Hits = { readonly hits: readonly Hit[]; readonly cut: ReadonlySet<string> };

type Hit = { readonly rule: FloorRule; readonly match: RuleMatch; readonly severity: Severity };

/** The rules that the configuration doesn't disable. */
export function activeRules(rules: readonly FloorRule[], config: FloorConfig): readonly FloorRule[] {
  const { enabled, rules: settings } = config.values.floor;
  // The usual case, for every file of a change.
  if (enabled && Object.keys(settings).length === 0) return rules;
  return rules.filter((rule) => isActive(rule, config));
}

function isActive({ id }: FloorRule, { values }: FloorConfig): boolean {
  return values.floor.enabled && values.floor.rules[id] !== "off";
}

/** The rules that need the file's syntax tree: with the view of a diff, those that may need it. */
export function treeRulesFor(view: FileView, rules: readonly FloorRule[]): readonly SyntaxRule[] {
  const tested = new Map<RegExp, boolean>();
  const triggered = rulesFor(view, rules).tree.filter((rule) => isTriggered(rule, view, tested));
  return withNeeded(view, triggered);
}

/** The rules whose needs the file meets. All of them when its text isn't known. */
export function withNeeded({ lines }: FileView, rules: readonly SyntaxRule[]): readonly SyntaxRule[] {
  if (lines === null || rules.every(({ needs }) => needs === undefined)) return rules;
  const text = lines.join("\n");
  return rules.filter(({ needs }) => needs?.test(text) !== false);
}

export type FileOptions = {
  readonly tree: SyntaxNode | null;
  /** True: only rules with `everywhere` run. */
  readonly isFiltered: boolean;
  /** The result of treeRulesFor, if the caller has it. */
  readonly treeRules?: readonly SyntaxRule[];
  /** Called for each rule that reached its work limit: its findings are valid, but it didn't check the whole file. */
  readonly onStopped?: (ruleId: string) => void;
};

/** Runs line rules, and tree rules if there is a tree. */
export function reviewFile(
  view: FileView,
  rules: readonly FloorRule[],
  config: FloorConfig,
  options: FileOptions,
): readonly Finding[] {
  const hits: Hit[] = [];
  const withCut = options.isFiltered ? view : withCutLines(view);
  for (const rule of rulesFor(view, rules).line) {
    const read = rule.everywhere === true ? withCut : view;
    if ((options.isFiltered && rule.everywhere !== true) || rule.isFor?.(read) === false) continue;
    for (const added of read.added) {
      const match = rule.check(added, read);
      if (match !== null) hits.push(toHit(rule, match, config));
    }
  }
  if (options.isFiltered || options.tree === null) return toFindings({ hits, cut: new Set() }, view);
  const found = treeHits(view, rules, config, { ...options, tree: options.tree });
  return toFindings({ hits: [...hits, ...found.hits], cut: found.cut }, view);
}

/** The rules that read the file's text on both sides. */
export function textRulesFor(view: FileView, rules: readonly FloorRule[]): readonly TextRule[] {
  if (view.file.status === "deleted") return [];
  return rules.filter((rule): rule is TextRule => rule.kind === "text" && rule.isFor(view));
}

/** Runs the rules of `textRulesFor`. */
export function reviewTexts(
  view: FileView,
  rules: readonly TextRule[],
  config: FloorConfig,
  texts: FileTexts,
): readonly Finding[] {
  const places = placesOf(view);
  const hits = rules.flatMap((rule) =>
    Array.from(rule.check(view, texts)).flatMap((found) => {
      const match = placeMatch(found, places);
      return match === null ? [] : toHit(rule, match, config);
    }),
  );
  return toFindings({ hits, cut: new Set() }, view);
}

/** Runs change rules over the whole change. */
export function reviewWholeChange(
  view: ChangeView,
  rules: readonly FloorRule[],
  configFor: (path: string) => FloorConfig,
): readonly Finding[] {
  const byPath = new Map(view.files.map((file) => [file.path, file]));
  const findings: Finding[] = [];
  for (const rule of rules) {
    if (rule.kind !== "change") continue;
    const hitsByPath = new Map<string, Hit[]>();
    for (const match of rule.check(view)) {
      const hits = hitsByPath.get(match.path) ?? [];
      hitsByPath.set(match.path, hits);
      const config = configFor(match.path);
      if (isActive(rule, config)) hits.push(toHit(rule, match, config));
    }
    for (const [path, hits] of hitsByPath) {
      const file = path === DESCRIPTION_PATH ? DESCRIPTION_VIEW : byPath.get(path);
      if (file !== undefined) findings.push(...toFindings({ hits, cut: new Set() }, file));
    }
  }
  return findings;
}

type ApplicableRules = { readonly line: readonly LineRule[]; readonly tree: readonly SyntaxRule[] };

/** By list of rules, then by language and category: most files of a change are alike. */
const applicable = new WeakMap<readonly FloorRule[], Map<string, ApplicableRules>>();

/** The rules for such files, in order. */
function rulesFor(view: FileView, rules: readonly FloorRule[]): ApplicableRules {
  const known = applicable.get(rules) ?? new Map<string, ApplicableRules>();
  applicable.set(rules, known);
  const key = `${view.category} ${view.language}`;
  const found = known.get(key) ?? {
    line: rules.filter((rule): rule is LineRule => rule.kind === "line" && appliesTo(rule, view)),
    tree: rules.filter((rule): rule is SyntaxRule => isSyntaxRule(rule) && appliesTo(rule, view)),
  };
  known.set(key, found);
  return found;
}

function isSyntaxRule(rule: FloorRule): rule is SyntaxRule {
  return rule.kind === "tree" || rule.kind === "pattern";
}

function appliesTo(rule: LineRule | SyntaxRule, view: FileView): boolean {
  if (rule.inTests !== true && view.category === "test") return false;
  // A syntax rule's languages are a narrower type than the file's.
  return rule.languages === "any" || (rule.languages as readonly string[]).includes(view.language);
}

/** `tested` has the patterns that other rules have, too. */
function isTriggered(
  { trigger, afterRemoval }: SyntaxRule,
  view: FileView,
  tested: Map<RegExp, boolean>,
): boolean {
  // Nothing is left that could be wrong.
  if (view.file.status === "deleted") return false;
  const patterns = trigger instanceof RegExp ? [trigger] : trigger;
  if (patterns.some((pattern) => testOnce(pattern, view.addedText, tested))) return true;
  if (afterRemoval instanceof RegExp)
    return removedLines(view.file).some(({ text }) => afterRemoval.test(text));
  if (afterRemoval !== true || removalGaps(view.file).length === 0) return false;
  return view.file.hunks.some(({ lines }) => {
    const text = lines.join("\n");
    return patterns.some((pattern) => pattern.test(text));
  });
}

function testOnce(pattern: RegExp, text: string, tested: Map<RegExp, boolean>): boolean {
  const isMatch = tested.get(pattern) ?? pattern.test(text);
  tested.set(pattern, isMatch);
  return isMatch;
}

function treeHits(
  view: FileView,
  rules: readonly FloorRule[],
  config: FloorConfig,
  { tree, treeRules = treeRulesFor(view, rules), onStopped }: FileOptions & { readonly tree: SyntaxNode },
): Hits {
  const places = placesOf(view);
  const ruleTree = createRuleTree(tree);
  const hits: Hit[] = [];
  const cut = new Set<string>();
  for (const rule of treeRules) {
    const isFinished = ruleTree.work((root) => {
      const lines = new Set<number>();
      for (const found of matchesOf(rule, root, view)) {
        const match = placeMatch(found, places);
        if (match === null) continue;
        const hit = toHit(rule, match, config);
        hits.push(hit);
        // Ignored lines don't count: a hundred of them must not hide the next finding.
        if (ignoredBecause(hit, view) !== null || lines.add(match.line).size < MAX_LINES_PER_RULE) continue;
        cut.add(rule.id);
        return;
      }
    });
    if (isFinished) continue;
    cut.add(rule.id);
    onStopped?.(rule.id);
  }
  return { hits, cut };
}

function matchesOf(rule: SyntaxRule, root: SyntaxNode, view: FileView): Iterable<RuleMatch> {
  return rule.kind === "tree" ? rule.check(root, view) : patternMatches(rule, root, view);
}

/** The added lines, and the lines after which lines were removed. */
type Places = {
  readonly added: ReadonlySet<number>;
  readonly gaps: readonly number[];
  readonly lines: readonly string[];
};

function placesOf(view: FileView): Places {
  return {
    added: new Set(view.added.map(({ line }) => line)),
    gaps: removalGaps(view.file),
    lines: view.lines ?? [],
  };
}

/** Lines of context that a hunk shows. */
const MAX_LINES_TO_EFFECT = 3;

/** The match on its own line, or where the change has a part in it; null when it has none. */
function placeMatch(match: RuleMatch, { added, gaps, lines }: Places): RuleMatch | null {
  if (added.has(match.line)) return match;
  const { also, missingIn } = match;
  let line = also?.find((other) => added.has(other));
  if (line === undefined) {
    line = gaps.find((gap) => missingIn !== undefined && gap >= missingIn.line && gap < missingIn.endLine);
    // A blank line can't be quoted.
    while (line !== undefined && line > 1 && lines[line - 1]?.trim() === "") line--;
  }
  if (line === undefined) return null;
  // From a cause just above to its effect, which the reader sees in one hunk.
  const isJustAbove = line < match.line && match.line - line <= MAX_LINES_TO_EFFECT;
  return { ...match, line, endLine: isJustAbove ? match.line : line };
}

function toHit(rule: FloorRule, match: RuleMatch, config: FloorConfig): Hit {
  const setting = config.values.floor.rules[rule.id];
  const isSeverity = setting !== undefined && setting !== "on" && setting !== "off";
  return { rule, match, severity: isSeverity ? setting : (match.severity ?? rule.severity) };
}

function toFindings({ hits, cut }: Hits, view: FileView): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [id, ruleHits] of Map.groupBy(dedupe(hits), (hit) => hit.rule.id)) {
    // Ignored matches are grouped separately, so they don't displace others.
    for (const group of partition(ruleHits, (hit) => ignoredBecause(hit, view) !== null)) {
      const shown = group.slice(0, MAX_HITS_PER_RULE);
      const rest = group.slice(MAX_HITS_PER_RULE).map((hit) => hit.match.line);
      const also = describeRest(rest, cut.has(id));
      findings.push(...shown.map((hit) => toFinding(hit, view, hit === shown[0] ? also : "")));
    }
  }
  return findings;
}

function partition<Item>(
  items: readonly Item[],
  isFirst: (item: Item) => boolean,
): readonly [Item[], Item[]] {
  const { true: first = [], false: second = [] } = Object.groupBy(items, (item) => `${isFirst(item)}`);
  return [first, second];
}

/** One match per rule and line: several on one line tell the reader nothing new. */
function dedupe(hits: readonly Hit[]): readonly Hit[] {
  const seen = new Set<string>();
  return hits.filter((hit) => {
    const key = `${hit.rule.id}:${hit.match.side ?? "new"}:${hit.match.line}`;
    return !seen.has(key) && seen.add(key);
  });
}

function ignoredBecause(hit: Hit, view: FileView): string | null {
  return ignoreReason(lineBefore(hit, view), hit.rule.id);
}

function lineBefore({ match }: Hit, view: FileView): string | null {
  return match.side === "old" || match.line <= 1 ? null : lineText(view, match.line - 1, "new");
}

function toFinding(hit: Hit, view: FileView, also: string): Finding {
  const { rule, match, severity } = hit;
  const side = match.side ?? "new";
  const proof = match.proof === undefined ? (rule.proof ?? null) : match.proof;
  return {
    title: match.title ?? rule.title,
    body: `${match.detail === undefined ? "" : `${match.detail} `}${rule.why}${also}${noteMissingReason(lineBefore(hit, view), rule.id)}\n\n${match.fix ?? rule.fix}`,
    severity,
    category: match.category ?? rule.category,
    path: view.path,
    quote: match.line === 0 ? "" : quoteOf(view, match, side),
    lineHint: match.line === 0 ? null : match.line,
    sideHint: side,
    suggestion: match.suggestion ?? null,
    confidence: rule.confidence ?? DEFAULT_CONFIDENCE,
    evidence: [],
    source: "floor",
    rule: rule.id,
    pass: "floor",
    ignoredBecause: ignoredBecause(hit, view),
    ...(proof === null ? {} : { proof }),
    ...(match.seenAt === undefined ? {} : { seenAt: match.seenAt }),
  };
}

function quoteOf(view: FileView, match: RuleMatch, side: "new" | "old"): string {
  const last = Math.min(match.endLine ?? match.line, match.line + MAX_QUOTE_LINES - 1);
  const lines: string[] = [];
  for (let line = match.line; line <= last; line++) {
    const text = lineText(view, line, side);
    if (text === null) break;
    lines.push(text);
  }
  return lines.join("\n");
}
