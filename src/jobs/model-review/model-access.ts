/** What a review needs to have models: who they are, what they may cost, where their findings are kept. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Change } from "../../review/change/change.ts";
import type { Model } from "../../model/model.ts";
import type { OperatorPrices } from "../../model/prices.ts";
import type { Spending } from "../../model/spending.ts";
import type { Notebook } from "../../tools/notebook.ts";
import type { ShownCheck } from "../../tools/tool.ts";
import type { OpenFinding } from "../../review/prompt/prompt.ts";

export type AvailableModels = {
  /** In the order in which they are tried; empty: the floor reviews alone. */
  readonly models: readonly Model[];
  /** Why there is none, and how to have one; null when there is one. */
  readonly note: string | null;
  /** What was asked for and cannot be had. */
  readonly problems: readonly string[];
  /** There is a model, and too many reviews were requested: what it would have read is listed as not read by one. */
  readonly isWithheld?: true;
};

/** What differs between a review on the command line and one of a pull request. */
export type ModelAccess = {
  choose(config: RepoConfig): Promise<AvailableModels>;
  openSpending(config: RepoConfig): Spending;
  /** What whoever pays says about prices. */
  readonly operatorPrices: OperatorPrices;
  openNotebook(change: Change): Promise<Notebook>;
  /** Checks of the head commit; null where there is nobody to ask. */
  readonly readChecks: (() => Promise<readonly ShownCheck[]>) | null;
  /** Told by earlier reviews of the same pull request. */
  readonly openFindings: readonly OpenFinding[];
  /** Whether too many reviews of this author in this repository have timed out lately to try one twice. */
  mayRetry(): Promise<boolean>;
  /** A word that nobody can guess, for the fences of the prompt. */
  readonly randomWord: () => string;
};
