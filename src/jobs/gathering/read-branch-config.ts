/** Reads the configuration of a branch from the host, where no change is under review. */
import { CONFIG_NAME } from "../../config/repo-config/config-file.ts";
import type { Contents } from "../../forge/forge.ts";
import { parseConfigFiles, type ParsedConfig } from "./gather-config.ts";
import { gatherOrganizationConfig } from "./gather-organization-config.ts";

export async function readBranchConfig(
  { branch, isPrivate }: { readonly branch: string; readonly isPrivate: boolean },
  contents: Pick<Contents, "readFile" | "readOwnerFile">,
): Promise<ParsedConfig> {
  const bytes = await contents.readFile(CONFIG_NAME, branch);
  const organization = await gatherOrganizationConfig(contents, isPrivate);
  const files = new Map(bytes === null ? [] : [[CONFIG_NAME, bytes]]);
  const own = bytes === null ? `defaults (no ${CONFIG_NAME} on ${branch})` : `${CONFIG_NAME} on ${branch}`;
  return parseConfigFiles(files, own, organization);
}
