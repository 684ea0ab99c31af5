/** The request, the dependencies and the result of the recipe `packContext`. */
import type { CodeIndex } from "../../code-index/code-index.ts";
import type { CodeReader } from "../../reading/reader.ts";
import type { Repository } from "../../repository/repository.ts";
import type { Change } from "../../review/change/change.ts";
import type { ContextPack } from "../../review/pack/context-pack.ts";
import type { CountTokens } from "../../tokenizer/tokenizer.ts";

export type PackRequest = {
  readonly change: Change;
  /** Ranks files that it names higher. "" for none. */
  readonly question: string;
  /** The maximum size of the pack in tokens. */
  readonly budgetTokens: number;
  readonly include: { readonly tests: boolean; readonly docs: boolean; readonly lockfiles: boolean };
  /** Fill the budget: whole files as long as there is room, however far they are. Otherwise only what is about the change. */
  readonly isFilled: boolean;
  /** Globs of files that are never included. */
  readonly exclude: readonly string[];
};

export type PackDeps = {
  readonly repository: Repository;
  readonly reader: CodeReader;
  readonly codeIndex: CodeIndex;
  /** Called once. */
  readonly openTokenizer: () => Promise<CountTokens>;
  /** Rejects with its reason within a second. */
  readonly signal: AbortSignal;
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  readonly onStage: (stage: PackStage) => void;
};

export type PackStage =
  | { readonly kind: "listing" }
  | { readonly kind: "indexing"; readonly done: number; readonly all: number }
  | { readonly kind: "history" }
  | { readonly kind: "ranking" }
  | { readonly kind: "fitting"; readonly tokens: number; readonly budget: number };

export type PackResult = {
  readonly pack: ContextPack;
  /** The artifacts by file name, `pr-context.txt` first. Without `pr-context.txt` when the core is over budget. */
  readonly artifacts: ReadonlyMap<string, string>;
  /** Milliseconds per stage. They are for people and never part of an artifact that is compared. */
  readonly timings: Readonly<Record<PackStage["kind"], number>>;
  /** For standard error. */
  readonly warnings: readonly string[];
};
