/** Recognizes the app's account where GitHub doesn't name the app. People can't have a login with this suffix. */
export function isAppAccount(
  account: { readonly login: string; readonly type: string } | null,
  slug: string,
): boolean {
  return account?.login === `${slug}[bot]` && account.type === "Bot";
}
