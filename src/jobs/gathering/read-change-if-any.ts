/** Reads the current change. Without a base to compare with, there is an empty one: files can still be read. */
import { describeError, KodiaiError } from "../../base/errors.ts";
import type { Repository } from "../../repository/repository.ts";
import type { Change } from "../../review/change/change.ts";

/** `base`: null to detect it. The notes of an empty change say why it is empty. */
export async function readChangeIfAny(repository: Repository, base: string | null): Promise<Change> {
  try {
    return await repository.readChange({ kind: "current", base });
  } catch (error) {
    if (isAboutTheBase(error)) return noChange(repository, error);
    throw error;
  }
}

function isAboutTheBase(error: unknown): error is KodiaiError {
  return error instanceof KodiaiError && ["unknown-ref", "no-merge-base", "no-commits"].includes(error.code);
}

function noChange({ root }: Repository, error: KodiaiError): Change {
  return {
    kind: root === null ? "branch" : "working-tree",
    description: "nothing to compare with",
    title: "",
    body: "",
    base: null,
    head: null,
    commits: [],
    files: [],
    notes: [describeError(error)],
  };
}
