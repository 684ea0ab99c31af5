/** Composes the download of advisories: where from, where to, and through which client. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { KodiaiError } from "../base/errors.ts";
import type { AdvisoryRequest } from "../cli/command.ts";
import { readRegistrySettings } from "../config/registry-settings.ts";
import type { SettingsSource } from "../config/settings-reader.ts";
import {
  type AdvisoryCopy,
  downloadAdvisories,
  isUrl,
  OSV_BUCKET,
} from "../registries/advisories/download-advisories.ts";
import { createHttpClient } from "../registries/http-client.ts";

export type AdvisoryContext = {
  readonly version: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
};

export async function fetchAdvisories(
  source: SettingsSource,
  { ecosystem, to, from, onProgress }: AdvisoryRequest,
  { version, cwd, signal }: AdvisoryContext,
): Promise<AdvisoryCopy> {
  const { origins, isOffline, advisories } = readRegistrySettings(source);
  const wanted = to ?? advisories;
  if (wanted === null)
    throw new KodiaiError("usage", "there is no folder for the advisories", {
      hint: "Name one with --to, or set KODIAI_ADVISORIES to it.",
    });
  const folder = resolve(cwd, wanted);
  if ((await stat(folder).catch(() => null))?.isFile() === true)
    throw new KodiaiError("usage", `${folder} is a file`, {
      hint: "Name a folder with --to, and set KODIAI_ADVISORIES to it.",
    });
  const place = from === null ? OSV_BUCKET : isUrl(from) ? from : resolve(cwd, from);
  const http = createHttpClient({ origins, isOffline, userAgent: `kodiai/${version}` });
  return downloadAdvisories({ ecosystem, folder, from: place, signal, onProgress }, http);
}
