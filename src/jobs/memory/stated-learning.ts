/** A learning that a person states, on the command line or in a comment. Pure. */
import { hashParts } from "../../base/hash.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import type { NewLearning } from "../../store/repositories/learnings.ts";

/** As certain as a rule in the configuration. */
const PERSON_CONFIDENCE = 0.9;

/** The same text added again updates its learning. */
const NAME_CHARS = 16;

/** One line without credentials. */
export function cleanLearningText(given: string): { readonly text: string; readonly isMasked: boolean } {
  const line = given.replaceAll(/\s+/g, " ").trim();
  const text = maskCredentials(line).toWellFormed().replaceAll("\0", "");
  return { text, isMasked: text !== line };
}

/** For all files, and without an end. */
export function statedLearning(
  text: string,
): Pick<
  NewLearning,
  "source" | "name" | "text" | "kind" | "paths" | "confidence" | "confirmations" | "owner" | "expiresAt"
> {
  return {
    source: "person",
    name: hashParts([text], NAME_CHARS),
    text,
    kind: "preference",
    paths: [],
    confidence: PERSON_CONFIDENCE,
    confirmations: 1,
    owner: null,
    expiresAt: null,
  };
}
