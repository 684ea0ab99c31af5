/** Edits that were proposed for a request, before they are checked, or the reply if there are none. */
import type { EditRefusal, ProposedEdit } from "../../../review/edits/edit.ts";
import type { FixLine } from "../../../review/edits/fix-line.ts";
import type { EditPolicy } from "../../../review/edits/check-edits.ts";
import type { Reply } from "../reply.ts";
import type { ReviewEdits } from "./review-edits.ts";

export type Proposal =
  | {
      readonly kind: "edits";
      readonly edits: readonly ProposedEdit[];
      readonly title: string;
      readonly description: string;
      /** The outcome of each finding of the request. */
      readonly fixes: readonly FixLine[];
      /** Paths that were refused while the edits were made. */
      readonly refusals: readonly EditRefusal[];
      /** A model made them, and had one chance to fix what the checks report. */
      readonly isByModel: boolean;
    }
  | { readonly kind: "none"; readonly reply: Reply };

export type EditChecks = { readonly policy: EditPolicy; readonly reviewEdits: ReviewEdits };

/** Called once per request, unless it crashes before its result was kept. */
export type Propose = (checks: EditChecks) => Promise<Proposal>;
