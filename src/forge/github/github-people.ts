/** People on GitHub: they sign in with the App's own OAuth, and their token lists the repositories that they reach through the App. */
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { KodiaiError, messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { outboundFetch } from "../../base/outbound/outbound-fetch.ts";
import { parseJson } from "../../base/parse-json.ts";
import type { PeopleAtHost, PersonAccess, PersonCredential } from "../people-at-host.ts";
import { hostOfApi } from "./api-host.ts";
import { createTokenClient, type GithubClient, type GithubConnection } from "./github-client.ts";
import { hasStatus, unlessGone } from "./github-error.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { PAGE_SIZE } from "./repository-calls.ts";

export type GithubPeopleOptions = {
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userAgent: string;
  readonly now: () => number;
  readonly log: Log;
};

/** A person waits for the answer. GitHub itself gives up after ten seconds. */
const EXCHANGE_TIMEOUT_MS = 12_000;

export function createGithubPeople(options: GithubPeopleOptions): PeopleAtHost {
  const { apiUrl, clientId, clientSecret, userAgent, now, log } = options;
  const origin = `${new URL(apiUrl).protocol}//${hostOfApi(apiUrl)}`;
  const sleep = (delayMs: number): Promise<void> => delay(delayMs);
  const connection: GithubConnection = { apiUrl, userAgent, now, sleep, onRateLimit: () => {}, log };
  return {
    origin,
    authorizeUrl({ state, challenge, redirectUri }) {
      const url = new URL("/login/oauth/authorize", origin);
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: challenge,
        code_challenge_method: "S256",
      }).toString();
      return url.href;
    },
    async exchangeCode({ code, verifier, redirectUri }) {
      const form = new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      });
      const answer = await postForm(new URL("/login/oauth/access_token", origin), form, userAgent);
      if (typeof answer["access_token"] === "string") return answer["access_token"];
      // GitHub's own name of the problem, which says whether the operator or the person has to act.
      log.warn("sign-in refused by GitHub", { error: String(answer["error"]) });
      return null;
    },
    readAccess: (credential) =>
      // The limits count for each person alone.
      readAccess(createTokenClient(connection, createRateLimiter({ now, sleep }), tokenOf(credential))),
  };
}

function tokenOf({ token: value, createdAtMs: mintedAtMs }: PersonCredential) {
  return async () => ({ value, mintedAtMs });
}

/** The fields that are read. An answer without them, such as a page of a proxy, says nothing about a person. */
const Person = z.object({ id: z.int(), login: z.string() });
const Installations = z.array(z.object({ id: z.int(), suspended_at: z.string().nullish() }));
const Repositories = z.array(
  z.object({ id: z.int(), permissions: z.object({ pull: z.boolean(), push: z.boolean() }).optional() }),
);

function parseAnswer<Value>(schema: z.ZodType<Value>, answer: unknown): Value {
  const { data } = schema.safeParse(answer);
  if (data !== undefined) return data;
  throw new KodiaiError("network", "an answer about a person isn't one of GitHub's API", {
    hint: "Check that GitHub is up, and that no proxy answers in its place.",
    retryable: true,
  });
}

async function readAccess(client: GithubClient): Promise<PersonAccess | null> {
  try {
    const { data } = await client.request("GET /user");
    const { id, login } = parseAnswer(Person, data);
    const installations = await client.paginate("GET /user/installations", { per_page: PAGE_SIZE });
    const listed = await Promise.all(
      parseAnswer(Installations, installations)
        .filter((each) => (each.suspended_at ?? null) === null)
        .map((each) =>
          // It may have been uninstalled since the list was made.
          unlessGone(() =>
            client.paginate("GET /user/installations/{installation_id}/repositories", {
              installation_id: each.id,
              per_page: PAGE_SIZE,
            }),
          ),
        ),
    );
    const repositories = listed
      .flatMap((each) => parseAnswer(Repositories, each ?? []))
      .filter(({ permissions }) => permissions?.pull === true)
      .map(({ id: forgeId, permissions }) => ({ forgeId, canWrite: permissions?.push === true }));
    return { id, login, repositories };
  } catch (error) {
    if (hasStatus(error, 401)) return null;
    throw error;
  }
}

/** Errors contain nothing of the request, which has the secret. */
async function postForm(
  url: URL,
  form: URLSearchParams,
  userAgent: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const response = await outboundFetch(url, {
      method: "POST",
      body: form,
      headers: { accept: "application/json", "user-agent": userAgent },
      redirect: "error",
      signal: AbortSignal.timeout(EXCHANGE_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const answer: unknown = parseJson(await response.text());
    if (typeof answer !== "object" || answer === null) throw new Error("the answer is not JSON");
    return { ...answer };
  } catch (error) {
    throw new KodiaiError("network", `${url.host} didn't complete the sign-in: ${messageOf(error)}`, {
      hint: "Check that GitHub is up and that this machine can reach it.",
      retryable: true,
    });
  }
}
