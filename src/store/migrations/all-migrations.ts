/** Every step of the two schemas, in order. */
import { deliveries } from "./0001-deliveries.ts";
import { telemetry } from "./0001-telemetry.ts";
import { jobs } from "./0002-jobs.ts";
import { reviews } from "./0003-reviews.ts";
import type { Migration } from "../migrate.ts";

export const KNOWLEDGE_MIGRATIONS: readonly Migration[] = [deliveries, jobs, reviews];

export const TELEMETRY_MIGRATIONS: readonly Migration[] = [telemetry];
