/**
 * Learns from GitHub what the app is called, and says at once when the credentials are wrong. Asks until it is told: until
 * then nobody knows whether people speak to us. Webhooks are taken all the same.
 */
import { describeError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Forge } from "../forge/forge.ts";

/** An operator who mends the settings restarts anyhow; an outage is not asked about all the time. */
const ASK_AGAIN_MS = 60_000;

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
  const ask = async (): Promise<void> => {
    try {
      await forge.checkCredentials();
      isKnown = true;
    } catch (error) {
      log.error("GitHub refused", { error: describeError(error) });
      if (!isStopped) timer = setTimeout(() => void ask(), ASK_AGAIN_MS);
    }
  };
  void ask();
  return {
    isNameKnown: () => isKnown,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
