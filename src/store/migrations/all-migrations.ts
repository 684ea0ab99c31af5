/** Lists all migrations of the two schemas, in order. */
import { deliveries } from "./knowledge/0001-deliveries.ts";
import { telemetry } from "./telemetry/0001-telemetry.ts";
import { jobTables } from "./knowledge/0002-jobs.ts";
import { modelRuns } from "./telemetry/0002-model-runs.ts";
import { reviews } from "./knowledge/0003-reviews.ts";
import { manyMachines } from "./knowledge/0004-many-machines.ts";
import { vectors } from "./knowledge/0005-vectors.ts";
import { models } from "./knowledge/0006-models.ts";
import { crashes } from "./knowledge/0007-crashes.ts";
import { clock } from "./knowledge/0008-clock.ts";
import { deliveryBodies } from "./knowledge/0009-delivery-bodies.ts";
import { modelRequests } from "./knowledge/0010-model-requests.ts";
import { ledger } from "./knowledge/0011-ledger.ts";
import { bumps } from "./knowledge/0012-bumps.ts";
import { memory } from "./knowledge/0013-memory.ts";
import { mentions } from "./knowledge/0014-mentions.ts";
import { sources } from "./knowledge/0015-sources.ts";
import { people } from "./knowledge/0016-people.ts";
import { hosts } from "./knowledge/0017-hosts.ts";
import { findingFigures } from "./knowledge/0018-finding-figures.ts";
import { reviewViews } from "./knowledge/0019-review-views.ts";
import { dashboardTables } from "./knowledge/0020-dashboard.ts";
import { reasons } from "./knowledge/0021-reasons.ts";
import { keptPublications } from "./knowledge/0022-kept-publications.ts";
import { dailyTotals } from "./knowledge/0023-daily-totals.ts";
import { bumpFacts } from "./knowledge/0024-bump-facts.ts";
import { replyReadings } from "./knowledge/0025-reply-readings.ts";
import { dashboardFigures } from "./knowledge/0026-dashboard-figures.ts";
import { memoryFigures } from "./telemetry/0003-memory.ts";
import { figuresByJob } from "./telemetry/0004-by-job.ts";
import { dailyStatistics } from "./telemetry/0005-daily-totals.ts";
import type { Migration } from "../migrate.ts";

export const KNOWLEDGE_MIGRATIONS: readonly Migration[] = [
  deliveries,
  jobTables,
  reviews,
  manyMachines,
  vectors,
  models,
  crashes,
  clock,
  deliveryBodies,
  modelRequests,
  ledger,
  bumps,
  memory,
  mentions,
  sources,
  people,
  hosts,
  findingFigures,
  reviewViews,
  dashboardTables,
  reasons,
  keptPublications,
  dailyTotals,
  bumpFacts,
  replyReadings,
  dashboardFigures,
];

export const TELEMETRY_MIGRATIONS: readonly Migration[] = [
  telemetry,
  modelRuns,
  memoryFigures,
  figuresByJob,
  dailyStatistics,
];
