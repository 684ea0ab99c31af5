/** Decides whether a server has a dashboard, where it is, and who can sign in; and mounts it. */
import { KodiaiError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { DashboardSettings } from "../config/dashboard-settings.ts";
import { createLinkKey, linkUrl } from "../dashboard/access/local-link.ts";
import { originOfListener, parseOrigin } from "../dashboard/access/origin.ts";
import type { DashboardThread, DashboardThreadOptions } from "../dashboard/serving/dashboard-thread.ts";
import type { CheckLine } from "../doctor/check.ts";

/** Null for a server without a dashboard. Throws if the operator wants one that no person could reach or sign in to. */
export function planDashboard(
  settings: DashboardSettings,
  { host, isWanted }: { readonly host: string; readonly isWanted: boolean },
): { readonly originAt: (port: number) => string } | null {
  const { mode, url, admins, oauth } = settings;
  if (!isWanted || mode === "off") return null;
  const isOwn = originOfListener(host, 0) !== null;
  const missing = [
    ...(isOwn || url !== null ? [] : ["KODIAI_DASHBOARD_URL"]),
    ...(isOwn || oauth !== null ? [] : ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"]),
  ];
  const isMeant = mode === "on" || (!isOwn && admins.length > 0);
  if (isMeant && missing.length > 0)
    throw new KodiaiError(
      "config",
      `the dashboard needs ${missing.join(", ")}, because the server listens on ${host}`,
      {
        hint: "Set them as docs/dashboard.md describes, or turn the dashboard off with --no-dashboard or KODIAI_DASHBOARD=off.",
      },
    );
  if (!isMeant && !isOwn) return null;
  return { originAt: (port) => url ?? originOfListener(host, port) ?? "" };
}

export type MountedDashboard = DashboardThread & {
  /** For the operator: where it is, and the link for signing in on this machine. */
  readonly description: string;
};

type MountOptions = Pick<
  DashboardThreadOptions,
  "databaseUrl" | "version" | "logLevel" | "logFormat" | "proxyVariables"
> & {
  readonly settings: DashboardSettings;
  readonly origin: string;
};

export async function mountDashboard(
  { settings, origin, ...rest }: MountOptions,
  deps: {
    readonly examine: () => Promise<readonly CheckLine[]>;
    readonly log: Log;
    readonly now: () => number;
  },
): Promise<MountedDashboard> {
  const { createDashboardThread } = await import("../dashboard/serving/dashboard-thread.ts");
  const { admins, apiUrl, oauth } = settings;
  const parsed = parseOrigin(origin);
  const link = parsed.isLoopback ? createLinkKey(deps.now()) : null;
  const thread = createDashboardThread({ ...rest, origin, admins, apiUrl, oauth, link }, deps);
  const description =
    link === null
      ? `dashboard at ${origin}`
      : `dashboard at ${origin}; sign in once within 15 minutes: ${linkUrl(link, parsed)}`;
  return { ...thread, description };
}
