/** All model runs of one review share a session: the models, one notebook, one budget, one guard. */
import type { Model } from "../../model/model.ts";
import type { Spending } from "../../model/spending.ts";
import { createGuard } from "../../review/untrusted/create-guard.ts";
import type { Guard } from "../../review/untrusted/guard.ts";
import type { Notebook } from "../../tools/notebook.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import type { ModelAccess } from "./model-access.ts";

export type ModelSession = {
  /** In the order in which they are tried; at least one. */
  readonly models: readonly [Model, ...Model[]];
  readonly access: ModelAccess;
  readonly notebook: Notebook;
  readonly spending: Spending;
  readonly guard: Guard;
};

export async function openModelSession(
  models: ModelSession["models"],
  { change, config }: Pick<PreparedReview, "change" | "config">,
  access: ModelAccess,
): Promise<ModelSession> {
  const guard = createGuard(access.randomWord());
  const notebook = await access.openNotebook(change);
  return { models, access, notebook, spending: access.money.openSpending(config.tree.root.values), guard };
}
