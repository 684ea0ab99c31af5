/** Reads one file over the API, without a clone. */
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import { hasStatus } from "./github-error.ts";
import type { ReadDeps } from "./read-hosted-repository.ts";

/**
 * Without a ref, at the default branch. Null if there is no file at the path: nothing, a folder, a submodule, or a link. GitHub itself follows a link to a file of
 * the same commit. Throws `too-large` for a file of more than a megabyte, which GitHub returns without its content.
 */
export async function readHostedFile(
  path: string,
  ref: string | null,
  { read, name }: Pick<ReadDeps, "read" | "name">,
): Promise<Uint8Array | null> {
  const file = { ...(await name()), path, ...(ref === null ? {} : { ref }) };
  try {
    const { data } = await read.request("GET /repos/{owner}/{repo}/contents/{path}", file);
    if (Array.isArray(data) || data.type !== "file" || !("content" in data)) return null;
    if (data.encoding !== "base64") throw tooLarge(path);
    return Buffer.from(data.content, "base64");
  } catch (error) {
    if (hasStatus(error, 404)) return null;
    // GitHub's answer to a file of more than 100 MB.
    if (hasStatus(error, 403) && /too_large/.test(error.call.words)) throw tooLarge(path);
    throw error;
  }
}

function tooLarge(path: string): KodiaiError {
  return new KodiaiError("too-large", `${printable(path)} is larger than a megabyte`, {
    hint: "Make the file smaller.",
  });
}
