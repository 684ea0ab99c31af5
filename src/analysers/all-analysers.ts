/** Every analyser. Rules and tools are imported on demand: a change without their languages loads none of them. */
import type { Analyser } from "./analyser.ts";

export const ALL_ANALYSERS: readonly Analyser[] = [];
