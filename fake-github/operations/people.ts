/** The reach of a person through the app: installations and their repositories, with the person's own permissions. */
import { type Call, type Handler, numberIn, ok, pageOf } from "../call.ts";
import { presentInstallation } from "../present/app.ts";
import { presentRepository } from "../present/repository.ts";
import { notFound, refusal } from "../refusal.ts";
import { isReachedThroughApp } from "../sign-in.ts";
import type { Repository, User } from "../world.ts";

function personOf({ identity }: Call): User {
  if (identity.kind === "user" && identity.isThroughApp) return identity.user;
  throw refusal(403, "You must authenticate with an access token authorized to a GitHub App");
}

function reachedBy(call: Call, user: User): readonly Repository[] {
  return call.world.repositories.filter((each) => isReachedThroughApp(user, each));
}

const listInstallations: Handler = (call) => {
  const reached = new Set(reachedBy(call, personOf(call)).map(({ installation }) => installation));
  const all = call.world.installations.filter((each) => reached.has(each));
  const { items, headers } = pageOf(call, all);
  const installations = items.map((each) => presentInstallation(call.world, each));
  return ok({ total_count: all.length, installations }, headers);
};

const listRepositories: Handler = (call) => {
  const user = personOf(call);
  const id = numberIn(call.params, "installation_id");
  const all = reachedBy(call, user).filter(({ installation }) => installation?.id === id);
  if (all.length === 0) throw notFound();
  if (all[0]?.installation?.suspendedAtMs !== null)
    throw refusal(403, "This installation has been suspended");
  const { items, headers } = pageOf(call, all);
  const repositories = items.map((each) => {
    const role = each.roles.get(user.login);
    const [admin, push] = [role === "admin", role === "admin" || role === "write"];
    const permissions = { admin, maintain: admin, push, triage: push, pull: true };
    return { ...presentRepository(call.world, each), permissions };
  });
  return ok({ total_count: all.length, repositories }, headers);
};

export const PEOPLE_OPERATIONS: Readonly<Record<string, Handler>> = {
  "apps/list-installations-for-authenticated-user": listInstallations,
  "apps/list-installation-repos-for-authenticated-user": listRepositories,
};
