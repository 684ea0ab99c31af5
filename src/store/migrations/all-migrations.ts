/** Every step of the two schemas, in order. */
import { deliveries } from "./0001-deliveries.ts";
import { telemetry } from "./0001-telemetry.ts";
import { jobs } from "./0002-jobs.ts";
import { modelRuns } from "./0002-model-runs.ts";
import { reviews } from "./0003-reviews.ts";
import { manyMachines } from "./0004-many-machines.ts";
import { vectors } from "./0005-vectors.ts";
import { models } from "./0006-models.ts";
import { crashes } from "./0007-crashes.ts";
import { clock } from "./0008-clock.ts";
import { deliveryBodies } from "./0009-delivery-bodies.ts";
import { modelRequests } from "./0010-model-requests.ts";
import type { Migration } from "../migrate.ts";

export const KNOWLEDGE_MIGRATIONS: readonly Migration[] = [
  deliveries,
  jobs,
  reviews,
  manyMachines,
  vectors,
  models,
  crashes,
  clock,
  deliveryBodies,
  modelRequests,
];

export const TELEMETRY_MIGRATIONS: readonly Migration[] = [telemetry, modelRuns];
