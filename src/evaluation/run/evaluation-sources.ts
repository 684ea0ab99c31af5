/** The inputs of an evaluation, as the user named them and as they were opened. */
import type { EvaluationSet } from "../set/evaluation-set.ts";
import type { CaseReviewer } from "./review-case.ts";

export type EvaluationSource = {
  /** A name such as "injected", or a folder. */
  readonly set: string;
  /** A clone of a public set; null for sets without one. */
  readonly data: string | null;
  /** The folder with clones of the reviewed repositories. */
  readonly repositories: string | null;
};

export type EvaluationSources = Pick<CaseReviewer, "openCode"> & {
  readonly set: EvaluationSet;
  close(): Promise<void>;
};
