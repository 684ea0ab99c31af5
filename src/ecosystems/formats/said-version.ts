/** Versions that people or tools write in a comment behind a commit id. */
import type { Listed } from "../ecosystem.ts";

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** `v4.1.0`, `tag=v4.1.0`, `pin@v4`, `ratchet:actions/checkout@v4`, `frozen: v1.2`, `codeql-bundle-v2.1` */
const VERSION =
  /(?:^|[\s=@:/])((?:[a-zA-Z][a-zA-Z0-9.]*[-_])*v?\d+(?:\.\d+)*(?:[-+.][\w.+-]+)?)(?=$|[\s,;)])/;
/** Longer comments have sentences, in which a number isn't the version. */
const MAX_COMMENT_CHARS = 100;

export function saidVersionOf(ref: string, comment: string): Pick<Listed, "saidVersion"> {
  if (!COMMIT.test(ref) || comment.length > MAX_COMMENT_CHARS) return {};
  const version = VERSION.exec(comment)?.[1];
  return version === undefined ? {} : { saidVersion: version };
}
