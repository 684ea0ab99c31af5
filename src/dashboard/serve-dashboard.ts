/**
 * The dashboard: from a request to an answer. Permissions are decided here and in `access`, once for all pages and actions:
 * the address of the request, the session behind its cookie, what GitHub grants the person now, and the token of a form.
 */
import { KodiaiError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { PeopleAtHost } from "../forge/people-at-host.ts";
import type { Queue } from "../queue/queue.ts";
import {
  type AnswerHeaders,
  assetAnswer,
  dataAnswer,
  eventAnswer,
  documentAnswer,
  type ShownMessage,
  messageAnswer,
  redirectAnswer,
  securityHeaders,
} from "./access/answers.ts";
import { clearCookie, readCookie } from "./access/cookies.ts";
import { createRateLimit } from "./access/limit-rate.ts";
import type { LocalLink } from "./access/local-link.ts";
import { type Notice, noticeCookie, readNotice, renderNotice } from "./access/notice.ts";
import { type DashboardOrigin, isSentByOwnPage, judgeHost } from "./access/origin.ts";
import { ownPathOfReferer } from "./access/own-path.ts";
import { createPersonAccess, type Grant } from "./access/person-access.ts";
import { createSeal, formTokenOf, isEqualSecret } from "./access/secrets.ts";
import { createSessions, type Session, type Sessions } from "./access/sessions.ts";
import { answerSignIn, SIGN_IN_PATH, type SignInDeps } from "./access/sign-in.ts";
import type { DashboardAction } from "./actions/action.ts";
import { performAction, type PerformedAction } from "./actions/perform-action.ts";
import { html } from "./components/html.ts";
import type { Dashboard, DashboardAnswer, DashboardRequest } from "./exchange.ts";
import type { DashboardPage, PageDeps, Viewer } from "./page.ts";
import { ASSETS } from "./style/assets.ts";

export type DashboardDeps = Omit<PageDeps, "queue"> & {
  readonly queue: PageDeps["queue"] & Pick<Queue, "requeue" | "cancel">;
  readonly pages: readonly DashboardPage[];
  readonly actions: readonly DashboardAction[];
  readonly origin: DashboardOrigin;
  /** Signing in with the host, and the secret from which the key of stored tokens derives. Null if it isn't set up. */
  readonly signIn: { readonly people: PeopleAtHost; readonly secret: string } | null;
  /** Logins. */
  readonly admins: readonly string[];
  readonly link: LocalLink | null;
  readonly log: Log;
};

type Routed = {
  readonly page: DashboardPage;
  readonly params: Readonly<Record<string, string>>;
};

type Parts = DashboardDeps & {
  readonly headers: AnswerHeaders;
  readonly sessions: Sessions;
  readonly accessOf: ReturnType<typeof createPersonAccess>;
  readonly signingIn: SignInDeps;
  readonly route: (path: string) => Routed | null;
};

const ACTIONS_PATH = "/actions/";
const SIGN_OUT = "sign-out";
const SIGN_OUT_EVERYWHERE = "sign-out-everywhere";

export function createDashboard(deps: DashboardDeps): Dashboard {
  const { signIn, origin, database, now, log, link } = deps;
  const sessions = createSessions({
    database,
    now,
    seal: signIn === null ? null : createSeal(signIn.secret),
  });
  const people = signIn?.people ?? null;
  const admins = new Set(deps.admins.map((login) => login.toLowerCase()));
  const isLocal = origin.isLoopback;
  const headers = securityHeaders(people?.origin ?? null);
  const route = createRouter(deps.pages);
  const isPage = (path: string): boolean => route(path) !== null;
  const rateLimit = createRateLimit(now);
  const parts: Parts = {
    ...deps,
    headers,
    sessions,
    accessOf: createPersonAccess({ people, sessions, admins, isLocal, now, log }),
    signingIn: { origin, people, link, sessions, admins, rateLimit, database, now, log, headers, isPage },
    route,
  };
  return async (request) => {
    try {
      return await answer(request, parts);
    } catch (error) {
      return failureAnswer(error, parts);
    }
  };
}

/** From patterns such as `/reviews/:id` to pages. A page with a plain path comes before one with parts. */
function createRouter(pages: readonly DashboardPage[]): Parts["route"] {
  const patterns = pages
    .toSorted((a, b) => Number(a.path.includes(":")) - Number(b.path.includes(":")))
    .map((page) => ({ page, pattern: new URLPattern({ pathname: page.path }) }));
  return (path) => {
    for (const { page, pattern } of patterns) {
      const groups = pattern.exec({ pathname: path })?.pathname.groups;
      if (groups === undefined) continue;
      const named = Object.entries(groups).map(([name, text]) => [name, decoded(text ?? "")] as const);
      // A part that isn't valid is no page's.
      return named.some(([, text]) => text === null)
        ? null
        : { page, params: Object.fromEntries(named.map(([name, text]) => [name, text ?? ""])) };
    }
    return null;
  };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

async function answer(request: DashboardRequest, parts: Parts): Promise<DashboardAnswer | null> {
  const { origin, headers } = parts;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const url = URL.parse(request.url, origin.origin);
  // An address such as `//host/path` has another origin.
  if (url === null || url.origin !== origin.origin || !["GET", "POST"].includes(method)) return null;
  const path = url.pathname;
  const isOwn = path.startsWith(ACTIONS_PATH) || path === SIGN_IN_PATH || path.startsWith(`${SIGN_IN_PATH}/`);
  const asset = ASSETS.get(path);
  const routed = method === "GET" ? parts.route(path) : null;
  if (!isOwn && asset === undefined && routed === null) return null;
  const host = judgeHost(request, origin);
  if (host === "elsewhere" && method === "GET")
    return redirectAnswer(`${origin.origin}${path}${url.search}`, headers);
  if (host !== "own") return message(WRONG_HOST, parts, null);
  if (asset !== undefined) return method === "GET" ? assetAnswer(asset, headers) : null;
  if (method === "POST" && !isSentByOwnPage(request, origin)) return message(WRONG_SITE, parts, null);
  // HEAD must not use up a link or a state.
  const signedIn = request.method === "HEAD" ? null : await answerSignIn(request, url, parts.signingIn);
  if (signedIn !== null) return signedIn;
  if (method === "POST" && path.startsWith(ACTIONS_PATH))
    return answerAction(request, path.slice(ACTIONS_PATH.length), parts);
  return routed === null ? null : answerPage(request, { ...routed, url }, parts);
}

type Entered = { readonly grant: Grant; readonly viewer: Viewer };

async function findSession(request: DashboardRequest, { origin, sessions }: Parts): Promise<Session | null> {
  const cookie = readCookie(request.headers["cookie"], "session", origin);
  return cookie === null ? null : sessions.find(cookie);
}

/** The person of the session, or why there is none. `refused`: GitHub no longer accepts the token of the session. */
async function enter(
  session: Session | null,
  { accessOf }: Parts,
): Promise<Entered | "nobody" | "refused" | "unknown"> {
  if (session === null) return "nobody";
  const access = await accessOf(session);
  if (access.kind === "unknown") return "unknown";
  // The session stays: while it has problems, GitHub may refuse tokens that it accepts again later.
  if (access.kind === "refused") return "refused";
  const { grant } = access;
  const { login: name, isAdmin, repositories } = grant;
  const csrf = formTokenOf(session.secret);
  const readable = repositories === "all" ? repositories : [...repositories.keys()];
  return { grant, viewer: { name, isAdmin, repositories: readable, csrf } };
}

async function answerPage(
  request: DashboardRequest,
  { page, params, url }: Routed & { readonly url: URL },
  parts: Parts,
): Promise<DashboardAnswer> {
  const { headers, origin } = parts;
  const entered = await enter(await findSession(request, parts), parts);
  if (entered === "unknown") return message(UNCHECKED, parts, null);
  if (typeof entered === "string") {
    const target = `${url.pathname}${url.search}`;
    const cookies = entered === "refused" ? [noticeCookie(TOKEN_REFUSED, origin)] : [];
    return redirectAnswer(`${SIGN_IN_PATH}?return=${encodeURIComponent(target)}`, headers, cookies);
  }
  const { viewer, grant } = entered;
  if (page.needs === "admin" && !viewer.isAdmin) return message(ADMINS_ONLY, parts, viewer);
  if (page.needs === "repository" && !mayRead(params["repositoryId"], grant))
    return message(NOT_FOUND, parts, viewer);
  const answered = await page.answer({ params, query: url.searchParams, viewer }, parts);
  if (answered.kind === "not-found") return message(NOT_FOUND, parts, viewer);
  if (answered.kind === "data") return dataAnswer(answered, headers);
  if (answered.kind === "events")
    // Without a reader, a stream would never end.
    return eventAnswer(
      request.method === "HEAD" ? "" : whilePermitted(answered.texts, { request, viewer }, parts),
      headers,
    );
  const notice = readNotice(request.headers["cookie"], origin);
  const body = notice === null ? answered.body : html`${renderNotice(notice)}${answered.body}`;
  const cookies = notice === null ? {} : { "set-cookie": [clearCookie("notice", origin)] };
  const { title } = answered;
  return documentAnswer({ status: 200, title, body, viewer, path: url.pathname, headers: cookies }, headers);
}

/** A stream ends before the next text if the person has signed out, or may read other repositories by now. */
async function* whilePermitted(
  texts: AsyncIterable<string>,
  { request, viewer }: { readonly request: DashboardRequest; readonly viewer: Viewer },
  parts: Parts,
): AsyncGenerator<string> {
  const reach = ({ isAdmin, repositories }: Viewer): string => JSON.stringify([isAdmin, repositories]);
  for await (const text of texts) {
    const entered = await enter(await findSession(request, parts), parts);
    if (typeof entered === "string" || reach(entered.viewer) !== reach(viewer)) return;
    yield text;
  }
}

function mayRead(id: string | undefined, { repositories }: Grant): boolean {
  if (id === undefined || !/^[1-9]\d{0,15}$/.test(id)) return false;
  return repositories === "all" || repositories.has(Number(id));
}

async function answerAction(request: DashboardRequest, name: string, parts: Parts): Promise<DashboardAnswer> {
  const { headers, origin, sessions, actions, route } = parts;
  const session = await findSession(request, parts);
  if (session === null) return message(SIGNED_OUT, parts, null);
  const form = new URLSearchParams(request.body);
  const isOwnForm = isEqualSecret(form.get("csrf") ?? "", formTokenOf(session.secret));
  // Signing out needs no permission, so that it works while GitHub can't be reached.
  if (isOwnForm && (name === SIGN_OUT || name === SIGN_OUT_EVERYWHERE)) {
    await (name === SIGN_OUT ? sessions.end(session) : sessions.endAll(session));
    return redirectAnswer(SIGN_IN_PATH, headers, [clearCookie("session", origin)]);
  }
  const entered = await enter(session, parts);
  if (entered === "unknown") return message(UNCHECKED_ACTION, parts, null);
  if (typeof entered === "string") return message(SIGNED_OUT, parts, null);
  const { grant, viewer } = entered;
  if (!isOwnForm) return message(WRONG_FORM, parts, viewer);
  const action = actions.find((each) => each.name === name);
  if (action === undefined) return message(NOT_FOUND, parts, viewer);
  const performed = await performAction(action, { form, grant }, parts);
  const back = ownPathOfReferer(request.headers["referer"], origin.origin, (path) => route(path) !== null);
  return performedAnswer(performed, { back, viewer }, parts);
}

function performedAnswer(
  performed: PerformedAction,
  { back, viewer }: { readonly back: string; readonly viewer: Viewer },
  parts: Parts,
): DashboardAnswer {
  const { headers, origin } = parts;
  if (performed.kind === "not-found") return message(NOT_FOUND, parts, viewer);
  if (performed.kind === "forbidden")
    return message({ status: 403, title: "Not allowed", text: performed.text }, parts, viewer);
  if (performed.kind === "download") {
    const { texts: body, contentType, fileName } = performed;
    return dataAnswer({ body, contentType, fileName }, headers);
  }
  const notice = { isProblem: performed.kind !== "done", text: performed.text };
  return redirectAnswer(back, headers, [noticeCookie(notice, origin)]);
}

function failureAnswer(error: unknown, parts: Parts): DashboardAnswer {
  parts.log.error("dashboard failed", {
    error: messageOf(error),
    stack: error instanceof Error && !(error instanceof KodiaiError) ? error.stack : undefined,
  });
  return message(error instanceof KodiaiError ? UNAVAILABLE : DEFECT, parts, null);
}

function message(given: ShownMessage, { headers }: Parts, viewer: Viewer | null): DashboardAnswer {
  const next = viewer === null ? null : { path: "/", label: "Overview" };
  const isSignedOut = given === SIGNED_OUT;
  return messageAnswer(
    given,
    isSignedOut ? { path: SIGN_IN_PATH, label: "Sign in" } : next,
    { viewer, path: "" },
    headers,
  );
}

const NOT_FOUND: ShownMessage = {
  status: 404,
  title: "Not found",
  text: "There is no such page, or GitHub doesn't let you read what it is about.",
};
const ADMINS_ONLY: ShownMessage = {
  status: 403,
  title: "For administrators",
  text: "Only administrators of this installation see this page. The operator lists them in KODIAI_DASHBOARD_ADMINS.",
};
const SIGNED_OUT: ShownMessage = {
  status: 401,
  title: "You are signed out",
  text: "Nothing was changed. Sign in, and send the form again.",
};
const WRONG_FORM: ShownMessage = {
  status: 403,
  title: "This form doesn't count",
  text: "Nothing was changed. The form is of an earlier sign-in, or wasn't made by Kodiai. Reload the page, and send it again.",
};
const WRONG_SITE: ShownMessage = {
  status: 403,
  title: "This form doesn't count",
  text: "Nothing was changed. The form wasn't sent by a page of this dashboard.",
};
const WRONG_HOST: ShownMessage = {
  status: 421,
  title: "Another address",
  text: "The dashboard has another address. The operator sets it in KODIAI_DASHBOARD_URL.",
};
const UNCHECKED: ShownMessage = {
  status: 503,
  title: "GitHub can't be reached",
  text: "Kodiai can't check what GitHub lets you read, so it shows nothing. You stay signed in. Reload the page in a minute.",
};
const UNCHECKED_ACTION: ShownMessage = {
  ...UNCHECKED,
  text: "Nothing was changed: Kodiai can't check what GitHub lets you do. You stay signed in. Go back, and send the form again in a minute.",
};
const TOKEN_REFUSED: Notice = {
  isProblem: true,
  text: "GitHub doesn't accept your sign-in any more, or the server's settings have changed. Sign in again.",
};
const UNAVAILABLE: ShownMessage = {
  status: 503,
  title: "Not available now",
  text: "The database didn't answer, or the page would have taken too long. Try again, with a shorter period or a narrower filter. The server's log has the reason.",
};
const DEFECT: ShownMessage = {
  status: 500,
  title: "Internal error",
  text: "Kodiai hit an internal error. The server's log has the details.",
};
