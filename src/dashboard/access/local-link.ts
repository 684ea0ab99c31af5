/** The link with which the operator of this machine signs in: printed at the start, valid once, for a while, and only on this machine. */
import { isSame, randomSecret } from "./secrets.ts";
import type { DashboardOrigin } from "./origin.ts";

/** Long enough to find it in the output of a service. */
const LINK_MS = 15 * 60_000;

export const LINK_PATH = "/sign-in/link";

export type LocalLink = {
  readonly url: string;
  /** True once, for the right key in time. */
  use(key: string): boolean;
};

export function createLocalLink({ origin }: DashboardOrigin, now: () => number): LocalLink {
  const secret = randomSecret();
  const expiresAt = now() + LINK_MS;
  let isUsed = false;
  return {
    url: `${origin}${LINK_PATH}?key=${secret}`,
    use(key) {
      if (isUsed || now() >= expiresAt || !isSame(key, secret)) return false;
      isUsed = true;
      return true;
    },
  };
}
