/** The lenses of later rounds in words, the same in every format. */
import type { Lens } from "../analysis/lenses.ts";

export const LENS_NAMES: Readonly<Record<Lens, string>> = {
  "removed-code": "removed code and contracts",
  siblings: "code that does the same thing differently",
  tests: "tests that prove nothing",
  concurrency: "concurrency and cancellation",
  guidelines: "the repository's guidelines",
};
