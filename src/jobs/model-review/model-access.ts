/** Access to models for one review: the choice, the budget, and the notebook for their findings. */
import type { AnswerStyle } from "../../config/answer-style.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Change } from "../../review/change/change.ts";
import type { Model } from "../../model/model.ts";
import type { NoModelReason } from "../../model/no-model-reason.ts";
import type { OperatorPrices } from "../../model/prices.ts";
import type { Spending } from "../../model/spending.ts";
import type { Notebook } from "../../tools/notebook.ts";

export type AvailableModels = {
  /** In the order in which they are tried; empty: only the built-in rules review. */
  readonly models: readonly Model[];
  /** Null when there is one. `withheld`: the files it would have read are listed as not read by one. */
  readonly noModel: NoModelReason | null;
  /** Configured models that can't be used, each with the reason. */
  readonly problems: readonly string[];
};

/** A model that a setting names for one task. */
export type NamedModel =
  | { readonly kind: "loaded"; readonly model: Model }
  /** `problem`: why it can't be used, for the operator. */
  | { readonly kind: "unavailable"; readonly problem: string };

export type ModelChoice = {
  choose(config: RepoConfig): Promise<AvailableModels>;
  /** Loads the model that a setting names for one task. Called only after `choose` gave a model. */
  loadNamed(name: string, style: AnswerStyle): Promise<NamedModel>;
  /** False when too many reviews of this author have timed out recently for a second attempt. */
  mayRetry(): Promise<boolean>;
};

export type ModelMoney = {
  openSpending(config: RepoConfig): Spending;
  readonly operatorPrices: OperatorPrices;
};

/** The command line, the GitHub App, recordings and replays each provide their own. */
export type ModelAccess = {
  readonly choice: ModelChoice;
  readonly money: ModelMoney;
  openNotebook(change: Change): Promise<Notebook>;
  /** How many conversations with models one review may have at a time. */
  readonly concurrency: number;
  /** An unguessable word for the fences of the prompt. */
  randomWord(): string;
};
