/**
 * The tokens of one job: for one repository, with the fewest permissions, minted when first needed and given back at the
 * end. They are kept in memory only and shared with no other job.
 */
import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { beforeSending } from "./github-error.ts";
import type { GithubClient, Token } from "./github-client.ts";
import { toOurTime } from "./github-time.ts";

/** `read` is enough to fetch and to look; `write` is minted only when something is about to be written. */
export type TokenPurpose = "read" | "write";

export type RepositoryName = { readonly owner: string; readonly repo: string };

export type SessionTokens = {
  get(purpose: TokenPurpose): Promise<Token>;
  /**
   * The repository's name now, which GitHub tells with a token; null where it does not. Mints the token of the given
   * purpose only when there is none at all.
   */
  currentName(purpose: TokenPurpose): Promise<RepositoryName | null>;
  /** Gives every token back. Failures are logged: a token ends by itself after an hour. */
  revokeAll(): Promise<void>;
};

type SessionTokensDeps = {
  readonly app: GithubClient;
  /** A client that speaks with one given token. */
  readonly clientOf: (token: Token) => GithubClient;
  readonly installationId: number;
  readonly repositoryId: number;
  readonly now: () => number;
  readonly log: Log;
};

const PERMISSIONS = {
  read: { contents: "read", metadata: "read", pull_requests: "read" },
  write: { checks: "write", metadata: "read", pull_requests: "write" },
} as const;

/** A token that ends within this time is replaced, so that it does not end in the middle of a fetch. */
const EXPIRY_MARGIN_MS = 5 * 60_000;

type Minted = Token & { readonly expiresAtMs: number; readonly name: RepositoryName | null };

export function createSessionTokens(deps: SessionTokensDeps): SessionTokens {
  const current = new Map<TokenPurpose, Promise<Minted>>();
  const all: Minted[] = [];

  const mint = async (purpose: TokenPurpose): Promise<Minted> => {
    try {
      const minted = await mintToken(purpose, deps);
      all.push(minted);
      return minted;
    } catch (error) {
      // For everybody who waits for this token, and not only for who asked first.
      throw beforeSending(error);
    }
  };
  const get = async (purpose: TokenPurpose): Promise<Minted> => {
    const known = current.get(purpose);
    if (known !== undefined && (await known).expiresAtMs - EXPIRY_MARGIN_MS > deps.now()) return known;
    // Others may have waited for the same token and replaced it already.
    const replaced = current.get(purpose);
    if (replaced !== undefined && replaced !== known) return replaced;
    const fresh = mint(purpose);
    current.set(purpose, fresh);
    try {
      return await fresh;
    } catch (error) {
      current.delete(purpose);
      throw error;
    }
  };
  return {
    get,
    async currentName(purpose) {
      return (await (current.get("read") ?? current.get("write") ?? get(purpose))).name;
    },
    async revokeAll() {
      await Promise.allSettled(current.values());
      current.clear();
      for (const token of all.splice(0)) await revokeToken(token, deps);
    },
  } satisfies SessionTokens;
}

async function mintToken(purpose: TokenPurpose, deps: SessionTokensDeps): Promise<Minted> {
  const mintedAtMs = deps.now();
  const { data, headers } = await deps.app.request(
    "POST /app/installations/{installation_id}/access_tokens",
    {
      installation_id: deps.installationId,
      repository_ids: [deps.repositoryId],
      permissions: PERMISSIONS[purpose],
    },
  );
  const repository = data.repositories?.find(({ id }) => id === deps.repositoryId);
  return {
    value: data.token,
    mintedAtMs,
    expiresAtMs: toOurTime(Date.parse(data.expires_at), headers, mintedAtMs),
    name: repository === undefined ? null : { owner: repository.owner.login, repo: repository.name },
  };
}

export async function revokeToken(
  token: Token,
  { clientOf, log }: Pick<SessionTokensDeps, "clientOf" | "log">,
): Promise<void> {
  try {
    await clientOf(token).request("DELETE /installation/token");
  } catch (error) {
    log.warn("a token was not revoked", { reason: messageOf(error) });
  }
}
