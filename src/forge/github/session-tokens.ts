/**
 * The tokens of one job: for one repository, with minimal permissions, created when first needed and revoked at the end.
 * They are kept only in memory and never shared with another job.
 */
import { messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import {
  APP_PERMISSIONS,
  describePermission,
  tokenPermissions,
  type TokenPurpose,
} from "./app-requirements.ts";
import { asNotSent, hasStatus, withHint } from "./github-error.ts";
import type { GithubClient, Token } from "./github-client.ts";
import { toLocalTime } from "./github-time.ts";

export type RepositoryName = { readonly owner: string; readonly repo: string };

export type SessionTokens = {
  get(purpose: TokenPurpose): Promise<Token>;
  /**
   * Returns the repository's current name, which GitHub sends along with a token. Null if it doesn't. Creates a token of the
   * given purpose only if there is none at all.
   */
  currentName(purpose: TokenPurpose): Promise<RepositoryName | null>;
  /** Revokes every token. Failures are only logged, because a token expires after an hour anyway. */
  revokeAll(): Promise<void>;
};

type SessionTokensDeps = {
  readonly app: GithubClient;
  /** A client that uses the given token. */
  readonly clientOf: (token: Token) => GithubClient;
  readonly installationId: number;
  readonly forgeId: number;
  readonly now: () => number;
  readonly log: Log;
};

/** A token that expires within this time is replaced, so that it doesn't expire during a fetch. */
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
      // Converted here, so that all callers that wait for this token get the same error.
      throw asNotSent(namePermission(error, purpose));
    }
  };
  const get = async (purpose: TokenPurpose): Promise<Minted> => {
    const known = current.get(purpose);
    if (known !== undefined && (await known).expiresAtMs - EXPIRY_MARGIN_MS > deps.now()) return known;
    // Another caller may already have replaced the token.
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
      const [known = get(purpose)] = current.values();
      return (await known).name;
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
      repository_ids: [deps.forgeId],
      permissions: tokenPermissions(purpose),
    },
  );
  const repository = data.repositories?.find(({ id }) => id === deps.forgeId);
  return {
    value: data.token,
    mintedAtMs,
    expiresAtMs: toLocalTime(Date.parse(data.expires_at), headers, mintedAtMs),
    name: repository === undefined ? null : { owner: repository.owner.login, repo: repository.name },
  };
}

/** Says which permission is missing if that is why GitHub rejected the token request. */
function namePermission(error: unknown, purpose: TokenPurpose): unknown {
  const permission = APP_PERMISSIONS.find(
    ({ isRequired, purposes }) => !isRequired && purposes.includes(purpose),
  );
  const isMissing = hasStatus(error, 422) && /permission/i.test(error.call.words);
  if (permission === undefined || !isMissing) return error;
  return withHint(
    error,
    `Grant the app the permission "${describePermission(permission)}" (see docs/github-app.md), and accept it in the installation.`,
  );
}

export async function revokeToken(
  token: Token,
  { clientOf, log }: Pick<SessionTokensDeps, "clientOf" | "log">,
): Promise<void> {
  try {
    await clientOf(token).request("DELETE /installation/token");
  } catch (error) {
    log.warn("revoking a token failed", { reason: messageOf(error) });
  }
}
