import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { matchOperation } from "../../../fake-github/description.ts";
import { needOf } from "../../../fake-github/permissions.ts";
import {
  APP_EVENTS,
  APP_PERMISSIONS,
  combinePermissions,
  describeEvent,
  describePermission,
  findMissingGrants,
  tokenPermissions,
} from "./app-requirements.ts";

/** Calls that GitHub accepts from the app itself, or with any token. */
const WITHOUT_PERMISSION: ReadonlySet<string> = new Set([
  // With the token of a person who signs in to the dashboard.
  "users/get-authenticated",
  "apps/list-installations-for-authenticated-user",
  "apps/list-installation-repos-for-authenticated-user",
  "apps/get-authenticated",
  "apps/create-from-manifest",
  "apps/list-installations",
  "apps/create-installation-access-token",
  "apps/get-repo-installation",
  "apps/list-repos-accessible-to-installation",
  "apps/revoke-installation-access-token",
  "apps/get-webhook-config-for-app",
  "apps/list-webhook-deliveries",
  "apps/redeliver-webhook-delivery",
  "users/get-by-username",
  // It finds only what the token may read.
  "search/issues-and-pull-requests",
]);

/** Access that is no REST call: threads are read and resolved with GraphQL, and git fetches and pushes. */
const OTHER_ACCESS = ["pulls/list-review-comments", "git/upload-pack", "git/receive-pack"] as const;

/** The REST calls of the adapter, found in its sources. */
function calledOperations(): readonly string[] {
  const sources = globSync("**/*.ts", { cwd: import.meta.dirname, exclude: ["**/*.test.ts"] });
  const routes = sources.flatMap((path) => {
    const text = readFileSync(join(import.meta.dirname, path), "utf8");
    return [...text.matchAll(/"(GET|POST|PATCH|PUT|DELETE) (\/[^"]+)"/g)];
  });
  return [...new Set(routes.map(([route, method = "", path = ""]) => operationOf(method, path) ?? route))];
}

function operationOf(method: string, path: string): string | null {
  return matchOperation(method, path.replaceAll(/\{(\w+)\}/g, "1"))?.operation.id ?? null;
}

const granted = (isComplete: boolean): Readonly<Record<string, string>> =>
  combinePermissions(APP_PERMISSIONS.filter(({ isRequired }) => isComplete || isRequired));

const covers = (
  permissions: Readonly<Record<string, string>>,
  { anyOf, level }: { readonly anyOf: readonly string[]; readonly level: string },
): boolean => anyOf.some((name) => permissions[name] === "write" || permissions[name] === level);

test("the list covers every call of the adapter", () => {
  const called = calledOperations();
  assert.ok(called.length > 30, "the calls were found");
  for (const operation of [...called, ...OTHER_ACCESS]) {
    if (WITHOUT_PERMISSION.has(operation)) continue;
    const need = needOf(operation);
    assert.ok(need !== null, `nothing says which permission ${operation} needs`);
    assert.ok(covers(granted(true), need), `${operation} needs ${need.anyOf.join(" or ")}: ${need.level}`);
  }
});

test("each permission has a call or an event that needs it", () => {
  const needs = [...calledOperations(), ...OTHER_ACCESS].map(needOf).filter((need) => need !== null);
  for (const { name, level } of APP_PERMISSIONS) {
    const isCalled = needs.some((need) => need.anyOf.includes(name) && need.level === level);
    const isForEvent = level === "read" && APP_EVENTS.some(({ permission }) => permission === name);
    assert.ok(isCalled || isForEvent, `nothing needs ${name}: ${level}`);
  }
});

test("a required permission is behind every event that is subscribed to", () => {
  for (const { name, permission, isAutomatic } of APP_EVENTS)
    assert.ok(isAutomatic || (permission !== null && permission in granted(false)), name);
});

test("a token never has more than the list", () => {
  const all = granted(true);
  for (const purpose of ["read", "write", "resolve", "issue", "logs", "push"] as const) {
    const permissions = Object.entries(tokenPermissions(purpose));
    assert.ok(permissions.length > 1, purpose);
    for (const [name, level] of permissions) assert.ok(level === "read" ? name in all : all[name] === level);
  }
  assert.deepEqual(tokenPermissions("read"), { metadata: "read", contents: "read", pull_requests: "read" });
  assert.deepEqual(tokenPermissions("logs"), { metadata: "read", actions: "read" });
  assert.deepEqual(tokenPermissions("push"), { metadata: "read", contents: "write" });
});

test("missing permissions and events are listed, required ones first", () => {
  const missing = findMissingGrants({
    permissions: { metadata: "read", contents: "read", pull_requests: "read", issues: "write" },
    events: ["pull_request", "issue_comment", "pull_request_review", "pull_request_review_comment"],
  });
  assert.deepEqual(missing.permissions.map(describePermission), [
    "Pull requests: read and write",
    "Checks: read and write",
    "Contents: read and write",
    "Actions: read",
  ]);
  assert.deepEqual(missing.events.map(describeEvent), [
    "Check run",
    "Pull request review thread",
    "Issues",
    "Repository",
  ]);
  const all = { permissions: granted(true), events: APP_EVENTS.map(({ name }) => name) };
  assert.deepEqual(findMissingGrants(all), { permissions: [], events: [] });
});

test("the documentation lists the required permissions and the events for an app that is made by hand", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../docs/github-app.md"), "utf8");
  const cell = (field: string): readonly string[] =>
    (new RegExp(`\\| ${field} \\| (.*) \\|`).exec(text)?.[1] ?? "").split(/[.,] /);
  const permissions = Object.entries(granted(false)).map(([name, level]) =>
    describePermission({ name, level } as Parameters<typeof describePermission>[0]),
  );
  assert.deepEqual(cell("Repository permissions").toSorted(), permissions.toSorted());
  const events = APP_EVENTS.filter(({ isAutomatic }) => !isAutomatic).map(describeEvent);
  assert.deepEqual(cell("Events").toSorted(), events.toSorted());
});
