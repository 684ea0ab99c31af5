/**
 * Chooses the token for a conversation. Issues and pull requests share routes, but not permissions: a token for pull requests
 * has no access to an issue. So that no token has both, the one for issues is created only on an issue.
 */
import type { GithubClient } from "./github-client.ts";
import { hasStatus } from "./github-error.ts";

export type ConversationAccess = {
  /** Makes a call that reads or writes in a conversation. */
  call<Value>(access: "read" | "write", send: (client: GithubClient) => Promise<Value>): Promise<Value>;
  /** From now on, the session is about an issue. */
  enterIssue(): void;
};

export type ConversationClients = {
  readonly read: GithubClient;
  readonly write: GithubClient;
  readonly issue: GithubClient;
};

export function createConversationAccess(clients: ConversationClients): ConversationAccess {
  let isIssue = false;
  return {
    async call(access, send) {
      if (isIssue) return send(clients.issue);
      try {
        return await send(clients[access]);
      } catch (error) {
        if (!isWithoutAccess(error)) throw error;
      }
      // The rejected call had no effect, so that it may be repeated even if it writes.
      isIssue = true;
      return send(clients.issue);
    },
    enterIssue() {
      isIssue = true;
    },
  } satisfies ConversationAccess;
}

/** GitHub's sentence about a token that lacks a permission. Archived and locked conversations are rejected with others. */
function isWithoutAccess(error: unknown): boolean {
  return hasStatus(error, 403) && /not accessible by integration/i.test(error.call.words);
}
