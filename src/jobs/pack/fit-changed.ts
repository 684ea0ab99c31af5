/** Adds the changed files to a pack, each as a whole, else the functions around its changes, else only the hunks of the diff. */
import { yieldToEventLoop } from "../../base/event-loop.ts";
import type { TreeFile } from "../../repository/repository.ts";
import { categoryOf } from "../../review/analysis/categories.ts";
import { comparePaths } from "../../review/analysis/triage.ts";
import type { FittedChange } from "../../review/pack/fit/assemble-pack.ts";
import { hasMoreThanDiff, type PackCore, type PlannedFile } from "../../review/pack/fit/compose-core.ts";
import type { CountedBlock, Ledger } from "../../review/pack/fit/create-ledger.ts";
import { MAX_PACKED_BYTES } from "../../review/pack/filters/filter-file.ts";
import type { PackMask } from "../../review/pack/render/create-pack-mask.ts";
import { renderEnclosingFunctions, renderWholeFile } from "../../review/pack/render/render-code.ts";
import type { PackPlaces } from "./gather-pack-places.ts";
import { batchesOf, type PackedText, type TextSource } from "./packed-texts.ts";

export type Fitting = {
  readonly ledger: Ledger;
  readonly mask: PackMask;
  readonly texts: TextSource;
  /** `PackRequest.isFilled`. */
  readonly isFilled: boolean;
  /** How much each word of the change says about code that has it. */
  readonly words: ReadonlyMap<string, number>;
  readonly places: PackPlaces;
  readonly signal: AbortSignal;
  /** Called now and then. */
  readonly onFitted: () => void;
};

/** In a longer file, the functions around the changes say more than the rest of it. */
const MAX_CHANGED_TOKENS = 8_000;

/** Code first: when not everything fits, whole documents matter less than whole functions. */
const CATEGORY_ORDER = ["source", "infra", "config", "test", "docs"] as const;

/** By path. Files that the diff already shows completely are left out. */
export async function fitChanged(
  { planned }: PackCore,
  files: ReadonlyMap<string, TreeFile>,
  fitting: Fitting,
): Promise<ReadonlyMap<string, FittedChange>> {
  const wanted = planned
    .filter(hasMoreThanDiff)
    .map((plan) => ({ plan, tree: files.get(plan.file.path) ?? null }))
    .toSorted(
      (a, b) =>
        orderOf(a.plan) - orderOf(b.plan) ||
        (a.tree?.bytes ?? 0) - (b.tree?.bytes ?? 0) ||
        comparePaths(a.plan.file.path, b.plan.file.path),
    );
  const fitted = new Map<string, FittedChange>();
  for (const batch of batchesOf(wanted)) {
    const readable = batch.flatMap(({ tree }) =>
      tree === null || tree.bytes > MAX_PACKED_BYTES ? [] : [tree],
    );
    const texts = await fitting.texts.read(readable);
    for (const { plan, tree } of batch) {
      await yieldToEventLoop();
      fitting.signal.throwIfAborted();
      const isTooLarge = tree !== null && tree.bytes > MAX_PACKED_BYTES;
      const text = texts.get(plan.file.path);
      fitted.set(
        plan.file.path,
        isTooLarge ? { block: null, reason: "filtered:too-large" } : await fitOne(plan, text, fitting),
      );
    }
    fitting.onFitted();
  }
  return fitted;
}

function orderOf({ file }: PlannedFile): number {
  return CATEGORY_ORDER.indexOf(categoryOf(file.path));
}

async function fitOne(
  { file }: PlannedFile,
  read: PackedText | undefined,
  { ledger, mask, texts, isFilled }: Fitting,
): Promise<FittedChange> {
  if (read === undefined) return { block: null, reason: "filtered:missing" };
  if (read.kind === "binary") return { block: null, reason: "filtered:binary" };
  const { text } = read;
  // The rest of a document says little about its changed paragraphs.
  if (!isFilled && categoryOf(file.path) === "docs") return { block: null, reason: "reduced:hunks" };
  const takeWhole = (maxTokens: number): CountedBlock | null =>
    ledger.mayFit(text.length, maxTokens)
      ? ledger.take(renderWholeFile(file.path, text, mask), { maxTokens })
      : null;
  const whole = takeWhole(isFilled ? ledger.left() : Math.min(ledger.left(), MAX_CHANGED_TOKENS));
  if (whole !== null) return { block: whole, reason: null };
  const outline = await texts.outline(file.path, text);
  const functions = outline === null ? null : renderEnclosingFunctions(file, { text, outline }, mask);
  const reduced = functions === null ? null : ledger.take(functions);
  return reduced === null
    ? { block: null, reason: "reduced:hunks" }
    : { block: reduced, reason: "reduced:functions" };
}
