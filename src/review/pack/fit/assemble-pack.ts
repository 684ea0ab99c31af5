/** Puts the parts of a pack together and accounts for every file. */
import type { CountTokens } from "../../../tokenizer/tokenizer.ts";
import type { ContextPack, PackOmission, PackReason, PackTarget, SelectedFile } from "../context-pack.ts";
import { renderOmitted } from "../render/render-omitted.ts";
import type { PackCore, PlannedFile } from "./compose-core.ts";
import type { CountedBlock } from "./create-ledger.ts";

/** The result for a changed file beyond its diff. No block: only its hunks are shown. */
export type FittedChange = { readonly block: CountedBlock | null; readonly reason: PackReason | null };

/** The result for a candidate. */
export type FittedCandidate = { readonly row: SelectedFile; readonly block: CountedBlock | null };

export type PackParts = {
  readonly core: PackCore;
  /** By path. A file without an entry is shown completely by its diff, or isn't shown. */
  readonly changed: ReadonlyMap<string, FittedChange>;
  /** By rank. */
  readonly related: readonly FittedCandidate[];
  readonly targets: readonly PackTarget[];
};

export type AssembledPack = {
  readonly pack: ContextPack;
  /** Secrets masked in the text. */
  readonly masked: number;
};

export function assemblePack(
  { core, changed, related, targets }: PackParts,
  { budgetTokens, countTokens }: { readonly budgetTokens: number; readonly countTokens: CountTokens },
): AssembledPack {
  const changedOmissions = core.planned.flatMap(({ file: { path }, reason }) => {
    const why = reason ?? changed.get(path)?.reason ?? null;
    return why === null ? [] : [{ path, reason: why }];
  });
  const selection = related.map(({ row }) => row);
  const omitted = renderOmitted([...changedOmissions, ...selection].flatMap(({ reason }) => reason ?? []));
  const changedBlocks = core.planned.flatMap(({ file }) => changed.get(file.path)?.block ?? []);
  const relatedBlocks = related.flatMap(({ block }) => block ?? []);
  const fixed = [...core.blocks, core.relatedHeading, omitted];
  const baseline = sumTokens(changedBlocks) + fixed.reduce((sum, { text }) => sum + countTokens(text), 0);
  const final = baseline + sumTokens(relatedBlocks);
  const blocks = [...core.blocks, ...changedBlocks, core.relatedHeading, ...relatedBlocks, omitted];
  return {
    pack: {
      kind: "packed",
      text: blocks.map(({ text }) => text).join(""),
      tokens: { budget: budgetTokens, baseline, final, remaining: budgetTokens - final },
      changed: core.planned.filter(({ reason }) => reason === null).map(({ file }) => file.path),
      changedOmissions,
      selection,
      targets,
      shown: blocks.flatMap(({ shown = [] }) => shown),
    },
    masked: blocks.reduce((sum, { masked }) => sum + masked, 0),
  };
}

/** The pack of a change whose diff alone is over the budget: no text, but every file with its reason. */
export function assembleOverBudget(
  { core, related, targets }: Omit<PackParts, "changed">,
  budgetTokens: number,
): AssembledPack {
  const pack: ContextPack = {
    kind: "core-over-budget",
    text: "",
    tokens: { budget: budgetTokens, baseline: core.tokens, final: 0, remaining: budgetTokens },
    changed: [],
    changedOmissions: core.planned.map(overBudget),
    selection: related.map(({ row }) => row),
    targets,
    shown: [],
  };
  return { pack, masked: 0 };
}

function overBudget({ file, reason }: PlannedFile): PackOmission {
  return { path: file.path, reason: reason ?? "over-budget" };
}

function sumTokens(blocks: readonly CountedBlock[]): number {
  return blocks.reduce((sum, { tokens }) => sum + tokens, 0);
}
