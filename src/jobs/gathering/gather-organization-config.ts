/**
 * Reads the defaults that an organization keeps for all its repositories. Their editors are trusted like those of a base branch. A private
 * file takes effect in public repositories too, but its content isn't shown there.
 */
import { MAX_CONFIG_BYTES, ORGANIZATION_CONFIG_PATH } from "../../config/repo-config/config-file.ts";
import type { Contents } from "../../forge/forge.ts";

export type OrganizationConfig = {
  /** Text to display: "acme/.github:.github/kodiai.yml". */
  readonly name: string;
  /** Null if there is no file that Kodiai can read. */
  readonly bytes: Uint8Array | null;
  /** People can see the review who can't see the file. */
  readonly isHidden: boolean;
};

/** `isPrivate`: whether the reviewed repository is. */
export async function gatherOrganizationConfig(
  contents: Pick<Contents, "readOwnerFile">,
  isPrivate: boolean,
): Promise<OrganizationConfig> {
  const file = await contents.readOwnerFile(ORGANIZATION_CONFIG_PATH);
  const { name } = file;
  if (file.kind === "absent") return { name, bytes: null, isHidden: false };
  // One byte too many, so that the parser reports it like any other file over the limit.
  if (file.kind === "too-large")
    return { name, bytes: new Uint8Array(MAX_CONFIG_BYTES + 1), isHidden: false };
  return { name, bytes: file.bytes, isHidden: file.isPrivate && !isPrivate };
}
