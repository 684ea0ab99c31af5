/** All pages of the dashboard. A page is a file and a line here. */
import type { DashboardPage } from "../page.ts";

export const DASHBOARD_PAGES: readonly DashboardPage[] = [];
