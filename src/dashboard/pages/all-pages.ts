/** All pages of the dashboard. A page is a file and a line here. */
import type { DashboardPage } from "../page.ts";
import { auditPage } from "./audit.ts";
import { dependenciesPage } from "./dependencies.ts";
import { healthPage } from "./health.ts";
import { jobPage } from "./job.ts";
import { memoriesPage } from "./memories.ts";
import { liveEventsPage, livePage, overviewPage } from "./overview.ts";
import { queuePage } from "./queue.ts";
import { recordingPage } from "./recording.ts";
import { repositoriesPage } from "./repositories.ts";
import { repositoryMemoryPage } from "./repository-memory.ts";
import { repositoryPage } from "./repository.ts";
import { reviewPage } from "./review.ts";
import { reviewsPage } from "./reviews.ts";

export const DASHBOARD_PAGES: readonly DashboardPage[] = [
  overviewPage,
  livePage,
  liveEventsPage,
  reviewsPage,
  reviewPage,
  recordingPage,
  queuePage,
  jobPage,
  memoriesPage,
  repositoriesPage,
  repositoryPage,
  repositoryMemoryPage,
  dependenciesPage,
  healthPage,
  auditPage,
];
