/**
 * The AppInspection port: what an operator can learn about the app from its host, such as its permissions and the deliveries that
 * failed. It changes nothing there.
 */

/** A permission or an event, as the host's settings name it. */
export type MissingGrant = {
  readonly kind: "permission" | "event";
  readonly name: string;
  readonly isRequired: boolean;
  /** Its purpose: after "Kodiai needs it to" for a permission, after "it reports" for an event. */
  readonly use: string;
};

export type RegisteredApp = { readonly slug: string; readonly missing: readonly MissingGrant[] };

export type RegisteredWebhook = {
  /** Where the host sends events; null if it sends none. */
  readonly url: string | null;
  /** The content type is the one that Kodiai reads. */
  readonly isJson: boolean;
  readonly verifiesTls: boolean;
};

/** One attempt of the host to deliver an event. */
export type DeliveryAttempt = {
  /** Shared by all attempts at one event. */
  readonly guid: string;
  readonly event: string;
  /** Milliseconds since 1970 on this machine's clock. */
  readonly at: number;
  /** The status of the answer. The host uses 5xx for no answer. */
  readonly status: number;
  /** The host's words for the status. */
  readonly outcome: string;
};

export type Installed = {
  readonly id: number;
  readonly account: string;
  readonly isSuspended: boolean;
  /** Of this installation: its owner may not have accepted a later change of the app. */
  readonly missing: readonly MissingGrant[];
  /** The page where its owner can change it. */
  readonly url: string;
};

/** Every function throws a KodiaiError if the host rejects the app's credentials or can't be reached. */
export type AppInspection = {
  readApp(): Promise<RegisteredApp>;
  readWebhook(): Promise<RegisteredWebhook>;
  /** Newest first, up to a limit. The host keeps them for a few days. */
  listDeliveries(): Promise<readonly DeliveryAttempt[]>;
  /** Up to a limit; `isAll` says whether there are more. */
  listInstallations(): Promise<{ readonly installed: readonly Installed[]; readonly isAll: boolean }>;
  /** How many repositories an installation that isn't suspended gives access to. */
  countRepositories(installationId: number): Promise<number>;
  /** The installation on a repository. Null if there is none, or no such repository. */
  findInstallation(owner: string, name: string): Promise<Installed | null>;
};
