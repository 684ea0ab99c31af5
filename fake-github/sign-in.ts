/**
 * Signing in with the app's OAuth, as on GitHub: a person's browser comes with a state and a challenge, goes back with a code, and the
 * app exchanges the code once for a token of that person. The person consents at once: tests say who sits at the browser.
 */
import { createHash, randomBytes } from "node:crypto";
import { type Exchange, readBody, type ServerParts } from "./server-parts.ts";
import { type App, type Repository, type User, userOf, type World } from "./world.ts";

// GitHub's lifetimes of a code and of a token.
const CODE_LIFETIME_MS = 10 * 60_000;
const TOKEN_LIFETIME_MS = 8 * 60 * 60_000;

const AUTHORIZE = "/login/oauth/authorize";
const EXCHANGE = "/login/oauth/access_token";

/** A person's consent that wasn't exchanged yet. */
export type Consent = {
  readonly code: string;
  readonly user: User;
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly expiresAtMs: number;
  isUsed: boolean;
};

/** A token with which the app acts for a person. */
export type PersonToken = {
  readonly value: string;
  readonly user: User;
  readonly expiresAtMs: number;
  isRevoked: boolean;
};

export function clientIdOf(app: Pick<App, "id">): string {
  return `Iv1.${app.id}`;
}

/** The repositories that a person reaches by a role of their own, through the app. A public one isn't enough. */
export function isReachedThroughApp(user: User, { installation, roles }: Repository): boolean {
  return installation !== null && !installation.isDeleted && roles.has(user.login);
}

/** Serves the page or the endpoint, or returns false if this isn't one of them. */
export async function serveSignIn(parts: ServerParts, exchange: Exchange, url: URL): Promise<boolean> {
  const { response } = exchange;
  const { method } = exchange.incoming;
  if (method === "GET" && url.pathname === AUTHORIZE) {
    const location = consent(parts.world, url.searchParams);
    if (location === null)
      response.writeHead(404).end("There is no such app, or it has no such callback URL.");
    else response.writeHead(302, { location }).end();
    return true;
  }
  if (method !== "POST" || url.pathname !== EXCHANGE) return false;
  const form = new URLSearchParams((await readBody(exchange)).toString());
  const fault = parts.faults.take({ operation: "oauth/access-token", method, path: EXCHANGE, body: {} });
  if (fault === null)
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(exchangeCode(parts.world, form)));
  else response.writeHead(fault.kind === "status" ? fault.status : 502).end("unavailable");
  return true;
}

/** Where the browser goes next; null if GitHub wouldn't send it anywhere. */
function consent(world: World, query: URLSearchParams): string | null {
  const redirectUri = query.get("redirect_uri") ?? "";
  const isKnown = query.get("client_id") === clientIdOf(world.app) && isCallback(world.app, redirectUri);
  if (!isKnown) return null;
  const location = new URL(redirectUri);
  location.searchParams.set("state", query.get("state") ?? "");
  const { login } = world.browser;
  if (login === null) {
    location.searchParams.set("error", "access_denied");
    return location.href;
  }
  const given: Consent = {
    code: randomBytes(10).toString("hex"),
    user: userOf(world, login),
    redirectUri,
    challenge: query.get("code_challenge_method") === "S256" ? query.get("code_challenge") : null,
    expiresAtMs: world.clock.now() + CODE_LIFETIME_MS,
    isUsed: false,
  };
  world.consents.push(given);
  location.searchParams.set("code", given.code);
  return location.href;
}

/** GitHub ignores the port of a loopback address. */
function isCallback({ callbackUrls }: App, wanted: string): boolean {
  const plain = (text: string): string =>
    text.replace(/^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\d+/, "$1");
  return callbackUrls.some((each) => each === wanted || plain(each) === plain(wanted));
}

/** GitHub answers 200 to a wrong exchange too. */
function exchangeCode(world: World, form: URLSearchParams): Readonly<Record<string, string | number>> {
  const { app, clock } = world;
  if (form.get("client_id") !== clientIdOf(app) || form.get("client_secret") !== app.clientSecret)
    return failure(
      "incorrect_client_credentials",
      "The client_id and/or client_secret passed are incorrect.",
    );
  const found = world.consents.find(({ code, isUsed }) => code === form.get("code") && !isUsed);
  if (found === undefined || found.expiresAtMs <= clock.now())
    return failure("bad_verification_code", "The code passed is incorrect or expired.");
  if (form.get("redirect_uri") !== found.redirectUri)
    return failure("redirect_uri_mismatch", "The redirect_uri doesn't match the one of the authorization.");
  const verifier = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  if (found.challenge !== null && verifier !== found.challenge)
    return failure("bad_verification_code", "The code verifier doesn't match the challenge.");
  found.isUsed = true;
  const value = `ghu_${randomBytes(27).toString("base64url").replaceAll(/[-_]/g, "0")}`;
  const expiresAtMs = clock.now() + TOKEN_LIFETIME_MS;
  world.personTokens.push({ value, user: found.user, expiresAtMs, isRevoked: false });
  return { access_token: value, token_type: "bearer", scope: "", expires_in: TOKEN_LIFETIME_MS / 1_000 };
}

function failure(error: string, description: string): Readonly<Record<string, string>> {
  return { error, error_description: description };
}
