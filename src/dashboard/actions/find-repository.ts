/** The repository that a form names in `repository`, by our id. */
import { type ActionTarget, numberIn } from "./action.ts";

export async function findRepositoryOfForm(form: URLSearchParams): Promise<ActionTarget | null> {
  const repositoryId = numberIn(form, "repository");
  return repositoryId === null ? null : { label: `repository ${repositoryId}`, repositoryId };
}
