/** The options of `kodiai doctor`. */
import type { RepositorySubject } from "./checks/repository.ts";

export type DoctorRequest = {
  /** Let models and embeddings answer, which costs a few tokens. */
  readonly mayCall: boolean;
  /** Null for the installation alone. */
  readonly repository: RepositorySubject | null;
  readonly signal: AbortSignal;
};
