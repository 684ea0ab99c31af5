/** Reads the files that a pack may show, and their outlines, in small batches: a repository doesn't fit into memory. */
import { MAX_PARSED_CHARS } from "../../base/parse-limit.ts";
import { untilAborted } from "../../base/until-aborted.ts";
import type { TreeFile } from "../../repository/repository.ts";
import { languageOf } from "../../languages/language-of.ts";
import type { Change } from "../../review/change/change.ts";
import type { Outline } from "../../languages/outline/outline.ts";
import { MAX_PACKED_BYTES } from "../../review/pack/filters/filter-file.ts";
import { isBinaryText } from "../../review/pack/filters/binary-names.ts";
import { textOfBytes } from "../../review/pack/render/render-code.ts";
import { headOf } from "../gathering/gather-listing.ts";
import type { PackDeps } from "./pack-request.ts";

/** Files that are read at a time. */
export const READ_AT_ONCE = 32;

/** A normal file takes milliseconds. */
const MAX_OUTLINE_MS = 5_000;

export type PackedText = { readonly kind: "text"; readonly text: string } | { readonly kind: "binary" };

export type TextSource = {
  /** By path. Files that can't be read, or are over the limit, are left out. */
  read(files: readonly TreeFile[]): Promise<ReadonlyMap<string, PackedText>>;
  /** Null when the file can't be parsed within the limits. */
  outline(path: string, text: string): Promise<Outline | null>;
};

export function createTextSource(change: Change, { repository, reader, signal }: PackDeps): TextSource {
  const head = headOf(change);
  return {
    async read(files) {
      const reading =
        head === "working-tree"
          ? repository.readFiles(
              head,
              files.map(({ path }) => path),
              MAX_PACKED_BYTES,
            )
          : repository.readBlobs(
              files.map(({ blob }) => blob),
              MAX_PACKED_BYTES,
            );
      const found = await untilAborted(reading, signal);
      const texts = new Map<string, PackedText>();
      for (const { path, blob } of files) {
        const latin1 = found.get(head === "working-tree" ? path : blob);
        if (latin1 === undefined) continue;
        const text = { kind: "text", text: textOfBytes(latin1) } as const;
        texts.set(path, isBinaryText(latin1) ? { kind: "binary" } : text);
      }
      return texts;
    },
    async outline(path, text) {
      const language = languageOf(path);
      if (text.length > MAX_PARSED_CHARS) return null;
      const asked = reader.ask("outline-files", { files: [{ language, text }] }, MAX_OUTLINE_MS);
      const reading = await untilAborted(asked, signal);
      return reading.kind === "read" ? (reading.value[0] ?? null) : null;
    },
  };
}

/** Consecutive parts of a list. */
export function* batchesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += READ_AT_ONCE) yield items.slice(from, from + READ_AT_ONCE);
}
