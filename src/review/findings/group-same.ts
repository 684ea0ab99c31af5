/**
 * Groups the reports of one review by defect: a rule, a linter and a model that report the same problem on the same or neighboring lines
 * are one group, and one finding. The first of a group gives the finding its text. The order of the input never matters.
 */
import { severityRank } from "../../base/severity.ts";
import type { FindingSource } from "./finding.ts";
import { compareReports, type Identified, isSame, NEIGHBORING_LINES } from "./identify-findings.ts";
import { isAlwaysListed } from "./rules/always-reported.ts";
import { pointsAtSecret } from "./secret-rules.ts";

/** Reports are looked up by blocks of lines, so that a file with many of them takes linear time. */
const BLOCK_LINES = 8;

/** A report about more lines is found by the first of these blocks. */
const MAX_BLOCKS = 32;

/** Comparing texts takes time. So many different problems in one block are noise, and further ones stay as they are. */
const MAX_PER_BLOCK = 64;

/** Groups in the order of their places. Each starts with the report whose text counts. */
export function groupSame<Item extends Identified>(
  found: readonly Item[],
): readonly (readonly [Item, ...Item[]])[] {
  const groups = new Map<Item, [Item, ...Item[]]>();
  const byId = new Map<string, Item>();
  const byBlock = new Map<string, Item[]>();
  for (const item of found.toSorted(byText)) {
    const blocks = blocksOf(item).map((block) => byBlock.get(block) ?? startBlock(byBlock, block));
    const same = byId.get(item.id) ?? firstSame(item, blocks);
    byId.set(item.id, same ?? item);
    if (same !== undefined) groups.get(same)?.push(item);
    else {
      groups.set(item, [item]);
      for (const block of blocks) if (block.length < MAX_PER_BLOCK) block.push(item);
    }
  }
  return [...groups.values()].toSorted(([a], [b]) => compareReports(a, b));
}

function firstSame<Item extends Identified>(
  item: Item,
  blocks: readonly (readonly Item[])[],
): Item | undefined {
  const near = new Set(blocks.flat());
  return [...near].filter((other) => isSame(other, item)).toSorted(byText)[0];
}

function startBlock<Item>(byBlock: Map<string, Item[]>, block: string): Item[] {
  const items: Item[] = [];
  byBlock.set(block, items);
  return items;
}

/** Two reports that are close enough to mean the same share a block. */
function blocksOf({ finding, anchor }: Identified): readonly string[] {
  if (anchor === null) return [finding.path];
  const first = Math.floor((anchor.startLine - NEIGHBORING_LINES) / BLOCK_LINES);
  const last = Math.floor(anchor.endLine / BLOCK_LINES);
  const length = Math.min(MAX_BLOCKS, last - first + 1);
  return Array.from({ length }, (_, index) => `${finding.path}\n${anchor.side}\n${first + index}`);
}

/**
 * A model has read the code around it, so its text comes before a rule's. Reports about secrets and about the review itself come first:
 * a misled model must not reword them, and only the rules know what to mask.
 */
const TURNS: Readonly<Record<FindingSource, number>> = { model: 1, floor: 2, analyser: 3, bump: 3, sarif: 4 };

/** Of two models the more confident comes first, of two rules the more severe. */
export function byText(a: Identified, b: Identified): number {
  const bySeverity = severityRank(a.finding.severity) - severityRank(b.finding.severity);
  const byConfidence = b.finding.confidence - a.finding.confidence;
  const [first, second] =
    a.finding.source === "model" ? [byConfidence, bySeverity] : [bySeverity, byConfidence];
  return turnOf(a) - turnOf(b) || first || second || compareReports(a, b);
}

function turnOf({ finding }: Identified): number {
  return isAlwaysListed({ finding }) || pointsAtSecret(finding) ? 0 : TURNS[finding.source];
}
