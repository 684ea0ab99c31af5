/** Waits until an account has installed the app. */
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../base/errors.ts";
import { untilAborted } from "../../base/until-aborted.ts";
import type { AppInstallation } from "./registrar.ts";

export type InstallationWait = {
  readonly list: () => Promise<readonly AppInstallation[]>;
  /** Called when GitHub can't be asked, once for each reason in a row. */
  readonly onFailure: (reason: string) => void;
  readonly signal: AbortSignal;
};

/** Soon enough for a person who watches, and a small part of GitHub's limit of 5,000 calls per hour. */
const POLL_MS = 2_000;

/** Null if the signal ends the wait. */
export async function waitForInstallation({
  list,
  onFailure,
  signal,
}: InstallationWait): Promise<readonly AppInstallation[] | null> {
  let lastFailure: string | null = null;
  while (!signal.aborted) {
    try {
      const installations = await untilAborted(list(), signal);
      if (installations.length > 0) return installations;
      lastFailure = null;
    } catch (error) {
      if (signal.aborted) return null;
      const reason = messageOf(error);
      if (reason !== lastFailure) onFailure(reason);
      lastFailure = reason;
    }
    await delay(POLL_MS, undefined, { signal }).catch(() => {});
  }
  return null;
}
