/** The account that Kodiai writes as, and which accounts and texts are therefore its own. */
import { hasMarker } from "./markers.ts";

export type OwnAccount = {
  /** As REST names it: `kodiai[bot]`, `github-actions[bot]`, or a person's login. */
  readonly login: string;
  /** The GitHub App; null for a given token, which doesn't name its app. */
  readonly appId: number | null;
  /**
   * Others write as this account too: the person who made the token, or other workflows. Then only texts with our marker are
   * Kodiai's own.
   */
  readonly isShared: boolean;
};

type Account = { readonly login: string; readonly type?: string | undefined } | null | undefined;

type AppOfText = { readonly id: number | bigint } | null | undefined;

const BOT_SUFFIX = /\[bot\]$/;

/** People can't have a login with this suffix. */
export function isBotLogin(login: string): boolean {
  return BOT_SUFFIX.test(login);
}

/** GraphQL names a bot without the suffix that it has in REST. */
export function plainLogin(login: string): string {
  return login.replace(BOT_SUFFIX, "");
}

export function isOwnAccount(account: Account, { login }: Pick<OwnAccount, "login">): boolean {
  return account?.login === login && (account.type === "Bot") === isBotLogin(login);
}

/** Whether Kodiai wrote a comment on lines, or a review. GitHub names only their account. */
export function isOwnText(
  { user, body }: { readonly user?: Account; readonly body?: string | null | undefined },
  own: OwnAccount,
): boolean {
  return isOwnAccount(user, own) && (!own.isShared || hasMarker(body ?? ""));
}

/** Whether Kodiai wrote a comment in a conversation. GitHub names the app that wrote it, whatever its account is called now. */
export function isOwnComment(
  comment: Parameters<typeof isOwnText>[0] & { readonly performed_via_github_app?: AppOfText },
  own: OwnAccount,
): boolean {
  return own.appId === null ? isOwnText(comment, own) : comment.performed_via_github_app?.id === own.appId;
}

/** The name of Kodiai's check, which distinguishes it from the other checks of a shared app. */
export const CHECK_NAME = "Kodiai";

export function isOwnCheck(
  {
    name,
    app,
  }: {
    readonly name: string;
    readonly app?: { readonly id: number | bigint; readonly slug?: string | undefined } | null;
  },
  own: OwnAccount,
): boolean {
  if (own.appId !== null) return app?.id === own.appId;
  return name === CHECK_NAME && app?.slug === plainLogin(own.login) && isBotLogin(own.login);
}
