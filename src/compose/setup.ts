/** Puts `kodiai setup` together: GitHub's manifest flow, the settings file, the browser and the webhook relay. */
import { outboundFetch } from "../base/outbound/outbound-fetch.ts";
import { createLog } from "../base/log.ts";
import { KodiaiError, messageOf } from "../base/errors.ts";
import { openBrowser } from "../cli/setup/open-browser.ts";
import { openEnvFile } from "../cli/setup/env-file.ts";
import type { CliSetup } from "../cli/setup/registrar.ts";
import { createAppRegistrar } from "../forge/github/register-app.ts";
import type { AppSources } from "./app.ts";

/** A relay answers at once. */
const RELAY_TIMEOUT_MS = 15_000;

export function composeSetup({ version, stderr }: Pick<AppSources, "version" | "stderr">): CliSetup {
  const log = createLog({
    level: "error",
    format: "text",
    write: (line) => stderr.write(line),
    now: Date.now,
  });
  return {
    openRegistrar: async (webUrl) => createAppRegistrar({ webUrl, userAgent: `kodiai/${version}`, log }),
    openEnvFile,
    createRelayChannel,
    openBrowser: (url) => openBrowser(url),
    readLine: lineReader(),
  };
}

/** Relays like smee.io create a channel at `/new` and redirect to it. */
async function createRelayChannel(url: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(RELAY_TIMEOUT_MS);
    const { headers, status } = await outboundFetch(url, { redirect: "manual", signal });
    const location = URL.parse(headers.get("location") ?? "", url);
    if (location === null || !headers.has("location")) throw new Error(`it answered ${status}`);
    return location.href;
  } catch (error) {
    throw new KodiaiError("network", `the webhook relay gave no channel: ${messageOf(error)}`, {
      hint: "Open the relay in a browser, start a new channel, and pass its address with --relay.",
    });
  }
}

/** One reader for all questions, because it may have read more than one line. */
function lineReader(): () => Promise<string | null> {
  let lines: AsyncIterator<string> | null = null;
  return async () => {
    if (lines === null) {
      const { createInterface } = await import("node:readline");
      lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    }
    const { done, value } = await lines.next();
    return done === true ? null : value;
  };
}
