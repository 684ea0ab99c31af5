/** All actions of the dashboard. An action is a file and a line here. Signing out belongs to the session, and is served with it. */
import type { DashboardAction } from "./action.ts";
import { addLearning } from "./add-learning.ts";
import { cancelJobAction } from "./cancel-job.ts";
import { editLearning } from "./edit-learning.ts";
import { downloadMemory } from "./export-memory.ts";
import { forgetLearning } from "./forget-learning.ts";
import { forgetMemory } from "./forget-memory.ts";
import { liftSuppression } from "./lift-suppression.ts";
import { retryJobAction } from "./retry-job.ts";

export const DASHBOARD_ACTIONS: readonly DashboardAction[] = [
  retryJobAction,
  cancelJobAction,
  addLearning,
  editLearning,
  forgetLearning,
  forgetMemory,
  liftSuppression,
  downloadMemory,
];
