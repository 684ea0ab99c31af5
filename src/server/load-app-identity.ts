/**
 * Loads the app's name from GitHub and logs at once if the credentials are wrong. It retries until it succeeds: without the
 * name, Kodiai can't recognize mentions. Webhooks are received in the meantime.
 */
import { describeError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Forge } from "../forge/forge.ts";

/** After fixing the settings an operator restarts anyway, so this only needs to be short enough for an outage. */
const RETRY_AFTER_MS = 60_000;

export type AppIdentity = {
  isNameKnown(): boolean;
  stop(): void;
};

export type AppIdentityDeps = {
  readonly forge: Pick<Forge, "checkCredentials">;
  readonly log: Log;
};

export function loadAppIdentity({ forge, log }: AppIdentityDeps): AppIdentity {
  let isKnown = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const load = async (): Promise<void> => {
    try {
      await forge.checkCredentials();
      isKnown = true;
    } catch (error) {
      log.error("could not load the app's identity from GitHub", { error: describeError(error) });
      if (!isStopped) timer = setTimeout(() => void load(), RETRY_AFTER_MS);
    }
  };
  void load();
  return {
    isNameKnown: () => isKnown,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
