/** The link with which the operator of this machine signs in: printed at the start, valid once, for a while, and only on this machine. */
import type { DashboardOrigin } from "./origin.ts";
import { isEqualSecret, randomSecret } from "./secrets.ts";

/** Long enough to find it in the output of a service. */
const LINK_MS = 15 * 60_000;

export const LINK_PATH = "/sign-in/link";

/** The parts of the link, which a thread can be given. */
export type LinkKey = { readonly secret: string; readonly expiresAt: number };

export type LocalLink = {
  /** True once, for the right key in time. */
  use(key: string): boolean;
};

export function createLinkKey(now: number): LinkKey {
  return { secret: randomSecret(), expiresAt: now + LINK_MS };
}

export function linkUrl({ secret }: LinkKey, { origin }: DashboardOrigin): string {
  return `${origin}${LINK_PATH}?key=${secret}`;
}

export function openLink({ secret, expiresAt }: LinkKey, now: () => number): LocalLink {
  let isUsed = false;
  return {
    use(key) {
      if (isUsed || now() >= expiresAt || !isEqualSecret(key, secret)) return false;
      isUsed = true;
      return true;
    },
  };
}
