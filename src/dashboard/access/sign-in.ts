/**
 * Signing in. With GitHub: a form begins it, the browser comes back with a code, and the code is exchanged once. The browser keeps the
 * verifier of PKCE in a cookie, and the store keeps hashes, so that a state counts only in the browser that began with it, and only once.
 * On the operator's own machine, a link that was printed at the start does the same without GitHub.
 */
import { KodiaiError } from "../../base/errors.ts";
import { SIGN_IN_CALLBACK } from "../../config/dashboard-settings.ts";
import type { Log } from "../../base/log.ts";
import type { PeopleAtHost } from "../../forge/people-at-host.ts";
import type { Database } from "../../store/database.ts";
import { insertSignIn, takeSignIn } from "../../store/repositories/dashboard-sessions.ts";
import type { DashboardAnswer, DashboardRequest } from "../exchange.ts";
import { type AnswerHeaders, type ShownMessage, messageAnswer, redirectAnswer } from "./answers.ts";
import { clearCookie, readCookie, setCookie } from "./cookies.ts";
import { LINK_PATH, type LocalLink } from "./local-link.ts";
import { type DashboardOrigin, isFromThisMachine } from "./origin.ts";
import { ownPath } from "./own-path.ts";
import { toGrant } from "./person-access.ts";
import type { AttemptLimit } from "./limit-rate.ts";
import { hashSecret, isEqualSecret, randomSecret } from "./secrets.ts";
import { type NewSession, SESSION_MS, type Sessions } from "./sessions.ts";
import { signInPage } from "./sign-in-page.ts";

export const SIGN_IN_PATH = "/sign-in";

/** A person reads GitHub's page, and may have to enter a second factor. */
const SIGN_IN_MS = 10 * 60_000;

/** The session's own end counts; the cookie only mustn't go earlier. */
const COOKIE_SECONDS = SESSION_MS / 1_000;

/** The name under which the operator of this machine appears. */
const LOCAL_NAME = "local administrator";

export type SignInDeps = {
  readonly origin: DashboardOrigin;
  /** Null without OAuth. */
  readonly people: PeopleAtHost | null;
  /** Null unless the address is this machine's own. */
  readonly link: LocalLink | null;
  readonly sessions: Sessions;
  readonly admins: ReadonlySet<string>;
  readonly rateLimit: AttemptLimit;
  readonly database: Database;
  readonly now: () => number;
  readonly log: Log;
  readonly headers: AnswerHeaders;
  readonly isPage: (path: string) => boolean;
};

/** Null if the path isn't one of a sign-in. A POST was sent by our own page. */
export async function answerSignIn(
  request: DashboardRequest,
  url: URL,
  deps: SignInDeps,
): Promise<DashboardAnswer | null> {
  const route = ROUTES.get(`${request.method} ${url.pathname}`);
  if (route === undefined) return null;
  if (request.method !== "GET" || url.pathname !== SIGN_IN_PATH) {
    if (!deps.rateLimit.admit(request.remoteAddress)) return problem(TOO_MANY, deps);
  }
  return route(request, url, deps);
}

type Route = (
  request: DashboardRequest,
  url: URL,
  deps: SignInDeps,
) => DashboardAnswer | Promise<DashboardAnswer>;

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  [
    `GET ${SIGN_IN_PATH}`,
    (request, url, deps) => signInPage(ownPath(url.searchParams.get("return"), deps.isPage), request, deps),
  ],
  [`POST ${SIGN_IN_PATH}`, begin],
  [`GET ${SIGN_IN_CALLBACK}`, finish],
  [`GET ${LINK_PATH}`, useLink],
]);

async function begin(request: DashboardRequest, _: URL, deps: SignInDeps): Promise<DashboardAnswer> {
  const { people, origin, database, now, isPage } = deps;
  if (people === null) return problem(NOT_SET_UP, deps);
  const returnPath = ownPath(new URLSearchParams(request.body).get("return"), isPage);
  const [state, verifier] = [randomSecret(), randomSecret()];
  const challenge = hashSecret(verifier);
  const signIn = { stateHash: hashSecret(state), challenge, returnPath, expiresAt: now() + SIGN_IN_MS };
  try {
    await insertSignIn(signIn, database);
  } catch (error) {
    return whileReadOnly(error, deps);
  }
  const redirectUri = callbackUrl(origin);
  const cookie = setCookie("sign-in", verifier, { origin, maxAgeSeconds: SIGN_IN_MS / 1_000 });
  return redirectAnswer(people.authorizeUrl({ state, challenge, redirectUri }), deps.headers, [cookie]);
}

async function finish(request: DashboardRequest, url: URL, deps: SignInDeps): Promise<DashboardAnswer> {
  const { people, origin, database, now } = deps;
  if (people === null) return problem(NOT_SET_UP, deps);
  const [state, code] = [url.searchParams.get("state"), url.searchParams.get("code")];
  const verifier = readCookie(request.headers["cookie"], "sign-in", origin);
  if (state === null || verifier === null) return problem(WRONG_STATE, deps);
  try {
    const begun = await takeSignIn(hashSecret(state), now(), database);
    if (begun === null || !isEqualSecret(begun.challenge, hashSecret(verifier)))
      return problem(WRONG_STATE, deps);
    // GitHub's error is one of a list. None of its words are shown.
    if (code === null) return problem(REFUSED, deps);
    const session = await identify({ code, verifier, redirectUri: callbackUrl(origin) }, people, deps);
    if ("status" in session) return problem(session, deps);
    return await enter(request, { session, path: begun.returnPath }, deps);
  } catch (error) {
    return whileReadOnly(error, deps);
  }
}

async function identify(
  exchange: Parameters<PeopleAtHost["exchangeCode"]>[0],
  people: PeopleAtHost,
  { admins, now, log }: SignInDeps,
): Promise<NewSession | ShownMessage> {
  try {
    const token = await people.exchangeCode(exchange);
    const access = token === null ? null : await people.readAccess({ token, createdAtMs: now() });
    if (access === null) return REFUSED;
    if (access.repositories.length === 0 && !toGrant(access, admins).isAdmin) return NOTHING_TO_SEE;
    return { personId: access.id, login: access.login, token };
  } catch (error) {
    if (!(error instanceof KodiaiError)) throw error;
    log.warn("sign-in failed", { reason: error.message });
    return UNREACHABLE;
  }
}

async function useLink(request: DashboardRequest, url: URL, deps: SignInDeps): Promise<DashboardAnswer> {
  const { link, origin, log } = deps;
  const key = url.searchParams.get("key") ?? "";
  if (link === null || !isFromThisMachine(request, origin) || !link.use(key))
    return problem(WRONG_LINK, deps);
  log.info("signed in with the link of this machine");
  const session = { personId: null, login: LOCAL_NAME, token: null };
  try {
    return await enter(request, { session, path: "/" }, deps);
  } catch (error) {
    return whileReadOnly(error, deps);
  }
}

async function enter(
  request: DashboardRequest,
  { session, path }: { readonly session: NewSession; readonly path: string },
  { sessions, origin, headers }: SignInDeps,
): Promise<DashboardAnswer> {
  const previous = readCookie(request.headers["cookie"], "session", origin);
  const secret = await sessions.begin(session, previous);
  return redirectAnswer(path, headers, [
    setCookie("session", secret, { origin, maxAgeSeconds: COOKIE_SECONDS }),
    clearCookie("sign-in", origin),
  ]);
}

function callbackUrl({ origin }: DashboardOrigin): string {
  return `${origin}${SIGN_IN_CALLBACK}`;
}

function problem(message: ShownMessage, { headers }: SignInDeps): DashboardAnswer {
  const next = { path: SIGN_IN_PATH, label: "Sign in" };
  return messageAnswer(message, next, { viewer: null, path: SIGN_IN_PATH }, headers);
}

function whileReadOnly(error: unknown, deps: SignInDeps): DashboardAnswer {
  if (!(error instanceof KodiaiError)) throw error;
  deps.log.warn("sign-in can't be stored", { reason: error.message });
  return problem(NOT_STORED, deps);
}

const TOO_MANY: ShownMessage = {
  status: 429,
  title: "Too many sign-ins",
  text: "There were too many attempts to sign in from this address. Try again in five minutes.",
};
const NOT_SET_UP: ShownMessage = {
  status: 404,
  title: "Signing in with GitHub isn't set up",
  text: "The operator of this server has to set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET. See docs/dashboard.md.",
};
const WRONG_STATE: ShownMessage = {
  status: 400,
  title: "This sign-in doesn't count",
  text: "It was begun in another browser, took longer than ten minutes, or was used before. Sign in again.",
};
const REFUSED: ShownMessage = {
  status: 403,
  title: "GitHub didn't sign you in",
  text: "The sign-in was cancelled, or GitHub refused it. If it happens again, the server's log has GitHub's reason.",
};
const NOTHING_TO_SEE: ShownMessage = {
  status: 403,
  title: "There is nothing to see for you",
  text: "Kodiai isn't installed on a repository in which you have a role. Being able to read a public repository isn't enough.",
};
const UNREACHABLE: ShownMessage = {
  status: 503,
  title: "GitHub can't be reached",
  text: "Kodiai couldn't ask GitHub who you are. Try again in a minute.",
};
const WRONG_LINK: ShownMessage = {
  status: 403,
  title: "This link doesn't count",
  text: "It counts once, within 15 minutes, and only on the machine that runs Kodiai. Run `kodiai dashboard` on that machine for a new one.",
};
const NOT_STORED: ShownMessage = {
  status: 503,
  title: "The database can't be written",
  text: "People can't sign in while the database can't be written. The server's log has the reason.",
};
