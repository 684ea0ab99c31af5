/** Answers calls that reach no tool, for a model task without tools. */
import type { ModelTask } from "../../src/model/model.ts";

export const NO_STRAY_CALLS: ModelTask["strayCalls"] = () => ({
  text: "There are no tools.",
  isError: true,
  ends: null,
});
