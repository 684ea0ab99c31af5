/** The manifest from which GitHub creates the app: exactly the permissions and events of the list, and the app's addresses. */
import { APP_EVENTS, APP_PERMISSIONS, type AppPermission, combinePermissions } from "./app-requirements.ts";

export type ManifestRequest = {
  readonly name: string;
  /** Where GitHub sends webhooks. */
  readonly webhookUrl: string;
  /** Where GitHub sends the person's browser after it has created the app. */
  readonly redirectUrl: string;
  /** Where GitHub may send people's browsers after they have signed in to the dashboard. */
  readonly callbackUrls: readonly string[];
  /** With the optional permissions. */
  readonly isComplete: boolean;
};

export function requestedPermissions(isComplete: boolean): readonly AppPermission[] {
  return APP_PERMISSIONS.filter(({ isRequired }) => isComplete || isRequired);
}

/** As JSON. The names are GitHub's. */
export function composeManifest({
  name,
  webhookUrl,
  redirectUrl,
  callbackUrls,
  isComplete,
}: ManifestRequest): string {
  return JSON.stringify({
    name,
    description: "Reviews pull requests.",
    // GitHub requires the address of a home page, and shows it on the page of the app.
    url: new URL(webhookUrl).origin,
    hook_attributes: { url: webhookUrl, active: true },
    redirect_url: redirectUrl,
    callback_urls: callbackUrls,
    // Only the owner of the app can install it.
    public: false,
    default_permissions: combinePermissions(requestedPermissions(isComplete)),
    default_events: APP_EVENTS.filter(({ isAutomatic }) => !isAutomatic).map(({ name: event }) => event),
  });
}
