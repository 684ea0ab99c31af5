/** Says why code outside the diff is shown: its connection with the change. */
import type { RelatedCode } from "./related-code.ts";

/** How names and paths of a repository are written where the sentence is shown. */
export type ShownNames = { readonly name: (name: string) => string; readonly path: (path: string) => string };

export function describeRelatedCode(
  { reason, about, changedPath, changedAt }: Omit<RelatedCode, "text" | "path" | "startLine">,
  show: ShownNames,
): string {
  const name = show.name(about);
  const path = show.path(changedPath);
  const place = changedAt === null ? path : `${path}:${changedAt.line}`;
  switch (reason) {
    case "caller":
      return `uses ${name}, ${changedAt?.isGone === true ? "removed from" : "changed in"} ${place}; certain`;
    case "test":
      return `test of ${name} of ${path}`;
    case "type":
      return `${name}, used in a changed signature of ${place}`;
  }
}
