/**
 * The deterministic reviewer: runs rules over views of files and turns hits into findings. Pure; reading files and
 * keeping time is the caller's work. It never decides what is told, only what was found.
 */
import type { Severity } from "../../base/severity.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { unreadFile } from "../change/added-file.ts";
import { DESCRIPTION_PATH } from "../findings/description-path.ts";
import type { Finding } from "../findings/finding.ts";
import { ignoreReason } from "./lines/ignore-comment.ts";
import type { ChangeView, FileView, FloorRule, LineRule, RuleMatch, TreeRule } from "./rule.ts";
import { createRuleTree } from "./syntax/rule-tree.ts";
import { lineText, viewFile } from "./view-file.ts";

/** The same thing is shown this often per file; the last one names the lines of the rest. */
const MAX_HITS_PER_RULE = 5;

/** A rule is not asked further once it reported this many lines of a file: the first few are shown, the rest is counted. */
const MAX_LINES_PER_RULE = 100;

/** A quote of more lines is a block, not a place. */
const MAX_QUOTE_LINES = 10;

const DEFAULT_CONFIDENCE = 0.95;

/** Stands for a file where a finding is about the description of the change. It has no lines. */
const DESCRIPTION_VIEW: FileView = viewFile(
  unreadFile(DESCRIPTION_PATH, { mode: "100644", unreadable: "unreadable" }),
  { language: "text", category: "docs" },
);

/** The settings of rules, as a part of a whole configuration. */
export type FloorConfig = { readonly values: Pick<RepoConfig, "floor"> };

/** `cut`: rules that were not asked for all they would report. */
type Hits = { readonly hits: readonly Hit[]; readonly cut: ReadonlySet<string> };

type Hit = { readonly rule: FloorRule; readonly match: RuleMatch; readonly severity: Severity };

/** Rules of a kind that the configuration leaves on. */
export function activeRules(rules: readonly FloorRule[], config: FloorConfig): readonly FloorRule[] {
  return rules.filter((rule) => isActive(rule, config));
}

function isActive({ id }: FloorRule, { values }: FloorConfig): boolean {
  return values.floor.enabled && values.floor.rules[id] !== "off";
}

/** True when some tree rule wants to see the file's syntax tree. */
export function wantsTree(view: FileView, rules: readonly FloorRule[]): boolean {
  return rules.some((rule) => rule.kind === "tree" && appliesTo(rule, view) && isTriggered(rule, view));
}

export type FileOptions = {
  readonly tree: SyntaxNode | null;
  /** True: only rules that look everywhere run. */
  readonly isFiltered: boolean;
  /** Called with each rule that reached its limit of work: what it reported is right, but it did not read the whole file. */
  readonly onStopped?: (ruleId: string) => void;
};

/** Runs line rules, and tree rules where there is a tree. */
export function reviewFile(
  view: FileView,
  rules: readonly FloorRule[],
  config: FloorConfig,
  options: FileOptions,
): readonly Finding[] {
  const hits: Hit[] = [];
  for (const rule of rules) {
    if (rule.kind !== "line" || !appliesTo(rule, view)) continue;
    if ((options.isFiltered && rule.everywhere !== true) || rule.isFor?.(view) === false) continue;
    for (const added of view.added) {
      const match = rule.check(added, view);
      if (match !== null) hits.push(toHit(rule, match, config));
    }
  }
  if (options.isFiltered || options.tree === null) return toFindings({ hits, cut: new Set() }, view);
  const found = treeHits(view, rules, config, { ...options, tree: options.tree });
  return toFindings({ hits: [...hits, ...found.hits], cut: found.cut }, view);
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

function appliesTo(rule: LineRule | TreeRule, view: FileView): boolean {
  if (!rule.inTests && view.category === "test") return false;
  // A tree rule's languages are narrower strings than the file's.
  return rule.languages === "any" || (rule.languages as readonly string[]).includes(view.language);
}

function isTriggered(rule: TreeRule, view: FileView): boolean {
  return rule.trigger.test(view.addedText);
}

function treeHits(
  view: FileView,
  rules: readonly FloorRule[],
  config: FloorConfig,
  { tree, onStopped }: FileOptions & { readonly tree: SyntaxNode },
): Hits {
  const addedNumbers = new Set(view.added.map(({ line }) => line));
  const ruleTree = createRuleTree(tree);
  const hits: Hit[] = [];
  const cut = new Set<string>();
  for (const rule of rules) {
    if (rule.kind !== "tree" || !appliesTo(rule, view) || !isTriggered(rule, view)) continue;
    const isFinished = ruleTree.work((root) => {
      const lines = new Set<number>();
      for (const match of rule.check(root, view)) {
        if (!addedNumbers.has(match.line)) continue;
        const hit = toHit(rule, match, config);
        hits.push(hit);
        // What a comment silences does not count: a hundred such lines must not hide the next one.
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

function toHit(rule: FloorRule, match: RuleMatch, config: FloorConfig): Hit {
  const setting = config.values.floor.rules[rule.id];
  const isSeverity = setting !== undefined && setting !== "on" && setting !== "off";
  return { rule, match, severity: isSeverity ? setting : (match.severity ?? rule.severity) };
}

function toFindings({ hits, cut }: Hits, view: FileView): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [id, ruleHits] of Map.groupBy(dedupe(hits), (hit) => hit.rule.id)) {
    // What a comment silences is kept apart: it must not take the place of what is to be told.
    for (const group of partition(ruleHits, (hit) => ignoredBecause(hit, view) !== null)) {
      const shown = group.slice(0, MAX_HITS_PER_RULE);
      const rest = group.slice(MAX_HITS_PER_RULE).map((hit) => hit.match.line);
      const also = describeRest(rest, cut.has(id));
      findings.push(...shown.map((hit) => toFinding(hit, view, hit === shown.at(-1) ? also : "")));
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

/** One hit per rule and line: several on one line say the same thing to a reader. */
function dedupe(hits: readonly Hit[]): readonly Hit[] {
  const seen = new Set<string>();
  return hits.filter((hit) => {
    const key = `${hit.rule.id}:${hit.match.side ?? "new"}:${hit.match.line}`;
    return !seen.has(key) && seen.add(key);
  });
}

function ignoredBecause({ rule, match }: Hit, view: FileView): string | null {
  if (match.side === "old" || match.line <= 1) return null;
  return ignoreReason(lineText(view, match.line - 1, "new"), rule.id);
}

/** More line numbers than these in one sentence help nobody. */
const MAX_NAMED_LINES = 10;

function describeRest(lines: readonly number[], isCut: boolean): string {
  if (lines.length === 0) return "";
  const count = `${isCut ? "at least " : ""}${lines.length} more ${lines.length === 1 ? "line" : "lines"}`;
  const named = lines.slice(0, MAX_NAMED_LINES).join(", ");
  return ` The same problem is on ${count} of this file: ${named}${isCut || lines.length > MAX_NAMED_LINES ? ", …" : ""}.`;
}

function toFinding(hit: Hit, view: FileView, also: string): Finding {
  const { rule, match, severity } = hit;
  const side = match.side ?? "new";
  return {
    title: match.title ?? rule.title,
    body: `${match.detail === undefined ? "" : `${match.detail} `}${rule.why}${also}\n\n${rule.fix}`,
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
