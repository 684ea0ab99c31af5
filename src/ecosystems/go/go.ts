/** The dependency files of Go. */
import type { FileFormat } from "../ecosystem.ts";
import { GO_MOD, GO_WORK } from "./go-mod.ts";
import { GO_SUM } from "./go-sum.ts";

export const GO_FORMATS: readonly FileFormat[] = [GO_MOD, GO_WORK, GO_SUM];
