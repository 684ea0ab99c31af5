/**
 * The permissions that the person of a session has now. The host is asked at least every five minutes, with the person's own token, so
 * that a permission that was taken away there is gone here. While the host can't be asked, no page is shown.
 */
import { type Log } from "../../base/log.ts";
import { KodiaiError } from "../../base/errors.ts";
import type { PeopleAtHost, PersonAccess } from "../../forge/people-at-host.ts";
import type { Session, Sessions } from "./sessions.ts";

/** How long an answer of the host holds. */
const ACCESS_TTL_MS = 5 * 60_000;

/** After a failure, requests within this time get the same answer without another attempt. */
const FAILURE_TTL_MS = 5_000;

/** A person waits. Listing thousands of repositories takes a few seconds. */
const MAX_WAIT_MS = 10_000;

/** Sessions whose answer is kept. Others are asked again. */
const MAX_KEPT = 1_000;

export type Grant = {
  readonly login: string;
  readonly isAdmin: boolean;
  /** Our ids of the repositories that the person may read, and whether they may change them too. */
  readonly repositories: ReadonlyMap<number, boolean> | "all";
};

export type AccessAnswer =
  | { readonly kind: "granted"; readonly grant: Grant }
  /** The host doesn't accept the token, or this process can't use it. */
  | { readonly kind: "refused" }
  /** The host can't be asked. */
  | { readonly kind: "unknown"; readonly reason: string };

export type PersonAccessDeps = {
  /** Null without OAuth: only the link of this machine signs in. */
  readonly people: Pick<PeopleAtHost, "readAccess"> | null;
  readonly sessions: Pick<Sessions, "credentialOf">;
  /** Logins in lower case. */
  readonly admins: ReadonlySet<string>;
  /** Whether sessions of this machine's link are valid. */
  readonly isLocal: boolean;
  readonly now: () => number;
  readonly log: Log;
};

export function createPersonAccess(deps: PersonAccessDeps): (session: Session) => Promise<AccessAnswer> {
  const kept = new Map<string, { readonly untilMs: number; readonly answer: Promise<AccessAnswer> }>();
  return (session) => {
    if (session.personId === null) return Promise.resolve(localAnswer(session, deps));
    const at = deps.now();
    const known = kept.get(session.idHash);
    if (known !== undefined && at < known.untilMs) return known.answer;
    if (kept.size >= MAX_KEPT) kept.clear();
    const keep = (answer: Promise<AccessAnswer>, ttlMs: number): void =>
      void kept.set(session.idHash, { untilMs: at + ttlMs, answer });
    const answer = ask(session, deps);
    // Counted from the question, because the host may have decided right after it arrived.
    keep(answer, ACCESS_TTL_MS);
    void forgetFailure(answer, () => keep(answer, FAILURE_TTL_MS));
    return answer;
  };
}

async function forgetFailure(answer: Promise<AccessAnswer>, forget: () => void): Promise<void> {
  if ((await answer).kind === "unknown") forget();
}

function localAnswer({ login }: Session, { isLocal }: PersonAccessDeps): AccessAnswer {
  if (!isLocal) return { kind: "refused" };
  return { kind: "granted", grant: { login, isAdmin: true, repositories: "all" } };
}

/** Never rejects. */
async function ask(
  session: Session,
  { people, sessions, admins, log }: PersonAccessDeps,
): Promise<AccessAnswer> {
  const credential = sessions.credentialOf(session);
  if (people === null || credential === null) return { kind: "refused" };
  try {
    const access = await withinTime(people.readAccess(credential));
    if (access === null || access.id !== session.personId) return { kind: "refused" };
    return { kind: "granted", grant: toGrant(access, admins) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn("permissions of a person can't be checked", { reason });
    return { kind: "unknown", reason };
  }
}

export function toGrant({ login, repositories }: PersonAccess, admins: ReadonlySet<string>): Grant {
  return {
    login,
    isAdmin: admins.has(login.toLowerCase()),
    // The numbers of the app's own host are our ids; see store/repositories/repository-ids.ts.
    repositories: new Map(repositories.map(({ forgeId, canWrite }) => [forgeId, canWrite])),
  };
}

async function withinTime<Value>(work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      reject(new KodiaiError("network", `no answer within ${MAX_WAIT_MS / 1_000} s`, { hint: "Try again." })),
    MAX_WAIT_MS,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
