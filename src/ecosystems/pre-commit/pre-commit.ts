/** Hooks of pre-commit, which are repositories. */
import type { Ecosystem } from "../ecosystem.ts";
import { TAG_ORDER } from "../versions/tag-order.ts";
import { preCommitConfig } from "./pre-commit-config.ts";

export const PRE_COMMIT: Ecosystem = {
  formats: [preCommitConfig],
  order: TAG_ORDER,
  isByReference: true,
};
