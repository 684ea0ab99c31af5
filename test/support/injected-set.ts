/** The evaluation set that is shipped with the product. */
import { join } from "node:path";
import { readEvaluationSet } from "../../src/evaluation/set/read-evaluation-set.ts";

export const INJECTED = readEvaluationSet(join(import.meta.dirname, "../../sets/injected"));
