/** A minimal client for the fake's own tests. It sends exactly the given request, reads the response, and doesn't retry. */
import { createSign } from "node:crypto";
import type { FakeGithub } from "./fake-github.ts";
import type { Permissions } from "./world.ts";

export type ClientAnswer = {
  readonly status: number;
  readonly headers: Headers;
  // Tests read responses of many shapes; each assertion states its expectation.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
};

export type JwtChanges = {
  readonly issuer?: string | number;
  readonly issuedAtSeconds?: number;
  readonly expiresAtSeconds?: number;
  readonly privateKeyPem?: string;
};

/** A JWT of the app; by default a valid one. */
export function jwtOf(fake: FakeGithub, changes: JwtChanges = {}): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const nowSeconds = Math.floor(fake.clock.now() / 1000);
  const claims = {
    iss: changes.issuer ?? fake.appId,
    iat: changes.issuedAtSeconds ?? nowSeconds - 30,
    exp: changes.expiresAtSeconds ?? nowSeconds + 300,
  };
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  const key = changes.privateKeyPem ?? fake.privateKeyPem;
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(key, "base64url")}`;
}

export type ClientRequest = { readonly token?: string; readonly body?: unknown };

/** `route` has the form "GET /repos/acme/shop". */
export async function ask(
  fake: FakeGithub,
  route: string,
  request: ClientRequest = {},
): Promise<ClientAnswer> {
  const [method = "GET", path = "/"] = route.split(" ");
  const answer = await fetch(`${fake.url}${path}`, {
    method,
    headers: request.token === undefined ? {} : { authorization: `Bearer ${request.token}` },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    redirect: "manual",
  });
  const text = await answer.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: answer.status, headers: answer.headers, body };
}

export type TokenChanges = {
  readonly installationId?: number;
  readonly permissions?: Permissions;
  readonly repositoryIds?: readonly number[];
};

export function askForToken(fake: FakeGithub, changes: TokenChanges = {}): Promise<ClientAnswer> {
  const { installationId = fake.installationId, permissions, repositoryIds } = changes;
  return ask(fake, `POST /app/installations/${installationId}/access_tokens`, {
    token: jwtOf(fake),
    body: {
      ...(permissions === undefined ? {} : { permissions }),
      ...(repositoryIds === undefined ? {} : { repository_ids: repositoryIds }),
    },
  });
}

/** Returns the value of a new token. */
export async function tokenOf(fake: FakeGithub, changes: TokenChanges = {}): Promise<string> {
  return String((await askForToken(fake, changes)).body.token);
}
