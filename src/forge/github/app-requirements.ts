/**
 * The permissions and events that the GitHub App needs, each with its reason. The one list: `kodiai setup` requests it,
 * `kodiai doctor` compares an app with it, tokens and event readers derive from it, and a test compares it with the calls.
 */

/**
 * The tokens of a job. `read` is enough to fetch and read. `write` is created only for the first write, `resolve` only when there is a thread to
 * resolve, `issue` only for a conversation on an issue, `logs` only when a job of GitHub Actions failed, and `push` only when git pushes.
 */
export type TokenPurpose = "read" | "write" | "resolve" | "issue" | "logs" | "push";

export type PermissionName = "actions" | "checks" | "contents" | "issues" | "metadata" | "pull_requests";

export type PermissionLevel = "read" | "write";

/** Permissions by name. A missing name is not granted. */
export type GrantedPermissions = { readonly [Name in PermissionName]?: PermissionLevel };

export type AppPermission = {
  readonly name: PermissionName;
  /** `write` includes `read`. */
  readonly level: PermissionLevel;
  /** Kodiai reviews without an optional permission, and does less. */
  readonly isRequired: boolean;
  /** The end of "Kodiai uses it to …". */
  readonly use: string;
  /** The tokens of jobs that have it. */
  readonly purposes: readonly TokenPurpose[];
};

export const APP_PERMISSIONS: readonly AppPermission[] = [
  {
    name: "metadata",
    level: "read",
    isRequired: true,
    use: "find repositories and check who has write access",
    purposes: ["read", "write", "resolve", "issue", "logs", "push"],
  },
  {
    name: "contents",
    level: "read",
    isRequired: true,
    use: "fetch the code under review",
    purposes: ["read"],
  },
  {
    name: "contents",
    level: "write",
    isRequired: false,
    // GitHub requires write access to contents for resolving a thread.
    use: "resolve its own threads, and edit files where write mode is on",
    purposes: ["resolve", "push"],
  },
  {
    name: "pull_requests",
    level: "read",
    isRequired: true,
    use: "read pull requests and their comments",
    purposes: ["read"],
  },
  {
    name: "pull_requests",
    level: "write",
    isRequired: true,
    use: "publish reviews and comments",
    purposes: ["write", "resolve"],
  },
  { name: "checks", level: "write", isRequired: true, use: "publish the check", purposes: ["write"] },
  {
    name: "issues",
    level: "read",
    isRequired: true,
    // GitHub offers the event for no other permission, although it also reports comments on pull requests.
    use: "receive comments on pull requests, which GitHub sends as issue comments",
    purposes: [],
  },
  // A token for pull requests has no access to issues that aren't pull requests.
  { name: "issues", level: "write", isRequired: false, use: "answer on issues", purposes: ["issue"] },
  {
    name: "actions",
    level: "read",
    isRequired: false,
    use: "read the logs of failed checks",
    purposes: ["logs"],
  },
];

type EventNeed = {
  readonly isRequired: boolean;
  /** GitHub sends the event to every app, and rejects a subscription to it. */
  readonly isAutomatic: boolean;
  /** The permission that a subscription needs, at least for reading. Null for events about the app itself. */
  readonly permission: PermissionName | null;
  /** The events that Kodiai learns of. */
  readonly use: string;
};

const chosen = (permission: PermissionName, use: string, isRequired = true): EventNeed => ({
  isRequired,
  isAutomatic: false,
  permission,
  use,
});
const automatic = (permission: PermissionName | null, use: string): EventNeed => ({
  isRequired: true,
  isAutomatic: true,
  permission,
  use,
});

const EVENT_NEEDS = {
  pull_request: chosen("pull_requests", "pull requests that are opened, pushed to or closed"),
  pull_request_review: chosen("pull_requests", "commands in reviews"),
  pull_request_review_comment: chosen("pull_requests", "commands in comments on lines"),
  pull_request_review_thread: chosen("pull_requests", "threads that people resolve", false),
  issue_comment: chosen("issues", "commands in comments"),
  issues: chosen("issues", "commands in the descriptions of issues", false),
  check_run: chosen("checks", "a check that is run again"),
  repository: chosen("metadata", "repositories that are renamed or become private", false),
  check_suite: automatic("checks", "all checks that are run again"),
  installation: automatic(null, "accounts that install or remove the app"),
  installation_repositories: automatic(null, "repositories that are added or removed"),
} as const satisfies Readonly<Record<string, EventNeed>>;

export type HandledEvent = keyof typeof EVENT_NEEDS;

export type AppEvent = EventNeed & { readonly name: HandledEvent };

export const APP_EVENTS: readonly AppEvent[] = Object.entries(EVENT_NEEDS).map(([name, need]) => ({
  ...need,
  // The keys of the table.
  name: name as HandledEvent,
}));

/** The highest level of each permission in the list. */
export function combinePermissions(permissions: readonly AppPermission[]): GrantedPermissions {
  const combined: { [Name in PermissionName]?: PermissionLevel } = {};
  for (const { name, level } of permissions) if (combined[name] !== "write") combined[name] = level;
  return combined;
}

export function tokenPermissions(purpose: TokenPurpose): GrantedPermissions {
  return combinePermissions(APP_PERMISSIONS.filter(({ purposes }) => purposes.includes(purpose)));
}

/** The permissions and events of an app or an installation, as GitHub's API shows them. */
export type AppGrants = {
  readonly permissions: Readonly<Record<string, string | undefined>>;
  readonly events: readonly string[];
};

export type MissingGrants = {
  readonly permissions: readonly AppPermission[];
  readonly events: readonly AppEvent[];
};

/** The entries of the list that the app or installation doesn't have, required ones first. */
export function findMissingGrants({ permissions, events }: AppGrants): MissingGrants {
  const requiredFirst = (a: { readonly isRequired: boolean }, b: { readonly isRequired: boolean }): number =>
    Number(b.isRequired) - Number(a.isRequired);
  return {
    permissions: APP_PERMISSIONS.filter(
      ({ name, level }) => permissions[name] !== level && permissions[name] !== "write",
    ).toSorted(requiredFirst),
    events: APP_EVENTS.filter(({ name, isAutomatic }) => !isAutomatic && !events.includes(name)).toSorted(
      requiredFirst,
    ),
  };
}

/** As GitHub's settings name it: `Pull requests: read and write`. */
export function describePermission({ name, level }: Pick<AppPermission, "name" | "level">): string {
  return `${asTitle(name)}: ${level === "write" ? "read and write" : "read"}`;
}

/** As GitHub's settings name it: `Issue comment`. */
export function describeEvent({ name }: Pick<AppEvent, "name">): string {
  return asTitle(name);
}

function asTitle(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
}
