/** Every request that reached the fake, in order of arrival. */
import type { Identity } from "./authentication.ts";
import type { Permissions } from "./world.ts";

export type LoggedIdentity = {
  readonly kind: Identity["kind"];
  readonly installationId: number | null;
  readonly tokenId: number | null;
  readonly permissions: Permissions | null;
  readonly repositoryIds: readonly number[] | null;
};

export type LoggedCall = {
  /** GitHub's operation name, `git/info-refs`, `git/upload-pack`, or `unknown`. */
  readonly operation: string;
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly body: unknown;
  /** By the fake's clock. */
  readonly atMs: number;
  /** Counters of call starts and ends: two calls overlap exactly if these ranges do. */
  readonly startedAs: number;
  endedAs: number | null;
  identity: LoggedIdentity;
  /** Null while the call is running, or if its connection was cut. */
  status: number | null;
  /** Whether a fault was applied to this call. */
  isFaulty: boolean;
};

export const ANONYMOUS: LoggedIdentity = {
  kind: "anonymous",
  installationId: null,
  tokenId: null,
  permissions: null,
  repositoryIds: null,
};

export function describeIdentity(identity: Identity): LoggedIdentity {
  if (identity.kind !== "installation") return { ...ANONYMOUS, kind: identity.kind };
  const { token } = identity;
  return {
    kind: "installation",
    installationId: token.installation.id,
    tokenId: token.id,
    permissions: token.permissions,
    repositoryIds: token.repositoryIds,
  };
}

export type CallLog = {
  readonly calls: LoggedCall[];
  begin(call: Pick<LoggedCall, "operation" | "method" | "path" | "body" | "atMs">): LoggedCall;
  end(call: LoggedCall): void;
};

export function createCallLog(): CallLog {
  const calls: LoggedCall[] = [];
  let ticks = 0;
  return {
    calls,
    begin(call) {
      const logged: LoggedCall = {
        ...call,
        startedAs: ticks++,
        endedAs: null,
        identity: ANONYMOUS,
        status: null,
        isFaulty: false,
      };
      calls.push(logged);
      return logged;
    },
    end(call) {
      call.endedAs ??= ticks++;
    },
  };
}
