/** Decides by its name whether a file may be in a pack. The same filters apply to whole files and to hunks of the diff. */
import type { GlobSet } from "../../../base/glob.ts";
import { categoryOf } from "../../analysis/categories.ts";
import { isProgramming, languageOf } from "../../../languages/language-of.ts";
import { type FileAttributes, markOf } from "../../analysis/marks.ts";
import type { ChangedFile } from "../../change/change.ts";
import type { PackReason } from "../context-pack.ts";
import type { RankedFile } from "../rank/ranked-file.ts";
import { isBinaryName } from "./binary-names.ts";
import { isCloseTest } from "./is-close-test.ts";
import { isEnvName, isSecretName } from "./secret-names.ts";

export type PackFilters = {
  readonly include: { readonly tests: boolean; readonly docs: boolean; readonly lockfiles: boolean };
  /** `pack.exclude`. */
  readonly isExcluded: GlobSet;
  /** By path, from `.gitattributes`. */
  readonly attributes: ReadonlyMap<string, FileAttributes>;
};

/** A larger file is data: whole, it would fill a third of the largest usual budget. */
export const MAX_PACKED_BYTES = 512 * 1024;

/** Null: its hunks may be shown. The old name counts too, because the diff shows the old text. */
export function filterChangedFile(file: ChangedFile, filters: PackFilters): PackReason | null {
  for (const path of new Set([file.path, file.oldPath ?? file.path])) {
    const reason = filterMarked({ ...file, path }, filters);
    if (reason !== null) return reason;
  }
  switch (file.unreadable) {
    case "binary":
    case "lfs-pointer":
      return "filtered:binary";
    case "too-large":
    case "too-many-files":
      return "filtered:too-large";
    case "submodule":
    case "symlink":
    case "filtered":
    case "unreadable":
      return "filtered:unknown";
    case "mode-only":
    case null:
      return null;
  }
}

/** Null: the file may be packed if its content is text. */
export function filterCandidate(
  candidate: RankedFile & { readonly bytes: number },
  changed: readonly string[],
  filters: PackFilters,
): PackReason | null {
  const { path, bytes } = candidate;
  const reason = filterMarked({ path, status: "modified", hunks: [], cutLines: [] }, filters);
  if (reason !== null) return reason;
  if (isBinaryName(path)) return "filtered:binary";
  if (bytes > MAX_PACKED_BYTES) return "filtered:too-large";
  const category = categoryOf(path);
  if (category === "docs") return filters.include.docs ? null : "filtered:docs";
  if (category !== "test" || filters.include.tests || isCloseTest(candidate, changed)) return null;
  // Fixtures and snapshots are read by tests only.
  return isProgramming(languageOf(path)) ? "filtered:tests-not-close" : "filtered:tests";
}

function filterMarked(
  file: Pick<ChangedFile, "path" | "status" | "hunks" | "cutLines">,
  { include, isExcluded, attributes }: PackFilters,
): PackReason | null {
  if (isSecretName(file.path)) return "filtered:secret";
  if (isEnvName(file.path)) return "filtered:env";
  const mark = markOf(file, attributes.get(file.path));
  if (mark === "lockfile" && !include.lockfiles) return "filtered:lockfile";
  if (isExcluded(file.path)) return "filtered:config-exclude";
  return mark === null || mark === "lockfile" ? null : "filtered:generated-cache";
}
