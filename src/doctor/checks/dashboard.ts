/** The dashboard: whether people can sign in, and who administers the installation. */
import type { DashboardSettings } from "../../config/dashboard-settings.ts";
import { type DoctorCheck, fine, notChecked, warning } from "../check.ts";

/** Null without an app, or with settings that are invalid, which another check reports. */
export function createDashboardCheck(settings: DashboardSettings | null): DoctorCheck {
  return {
    name: "dashboard",
    async run() {
      if (settings === null)
        return [notChecked("The dashboard: no app is configured, or its settings are invalid.")];
      const { mode, url, admins, oauth } = settings;
      if (mode === "off") return [fine("The dashboard is off.")];
      if (oauth === null)
        return url === null && admins.length === 0
          ? [
              fine(
                "The dashboard is for this machine only: it opens with the link that `kodiai serve` prints.",
              ),
            ]
          : [
              warning("dashboard-sign-in", {
                what: "People can't sign in to the dashboard with GitHub: GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET aren't set.",
                remedy:
                  "Copy the client ID from the app's page, generate a client secret there, and set both.",
              }),
            ];
      if (admins.length === 0)
        return [
          fine(
            "People can sign in to the dashboard with GitHub. KODIAI_DASHBOARD_ADMINS is not set, so no person sees the queue and the health.",
          ),
        ];
      const where = url ?? "this machine's address";
      return [fine(`People can sign in to the dashboard with GitHub at ${where}.`)];
    },
  };
}
