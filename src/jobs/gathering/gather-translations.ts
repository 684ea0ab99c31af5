/**
 * Reads the translation files that a change touches and those of the other languages, with which rules compare them. Files beyond the
 * limits leave a gap.
 */
import { count } from "../../base/count.ts";
import { MAX_PARSED_BYTES } from "../../base/parse-limit.ts";
import { translationName, translationsOf } from "../../base/translation-paths.ts";
import type { Repository } from "../../repository/repository.ts";
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import { TRANSLATION_RULES } from "../reading/inputs-of-rules.ts";
import { headOf } from "./gather-listing.ts";
import type { PreparedReview } from "./prepared-review.ts";

/** A synchronization with a service for translations has up to 60 languages of a few files each. */
const MAX_FILES = 400;
const FILES_PER_READING = 40;

/** Of all files together; parsing them takes about half a second. */
const MAX_CHARS = 16 * 1024 * 1024;

const NEED = { check: "texts of other languages", paths: null, rules: TRANSLATION_RULES };

/** Texts by path. Empty when the change touches no such file. */
export async function gatherTranslations(
  { change, listing, degradations }: PreparedReview,
  repository: Repository | null,
): Promise<ReadonlyMap<string, string>> {
  const changed = change.files.flatMap(({ path, status }) =>
    status === "deleted" || translationName(path) === null ? [] : path,
  );
  if (changed.length === 0) return new Map();
  if (repository === null || change.kind === "diff") {
    degradations.miss({ ...NEED, reason: "off", detail: "only a diff is known" });
    return new Map();
  }
  const read = await degradations.checked(NEED, async () => {
    const paths = await listing();
    if (paths === null)
      degradations.miss({ ...NEED, reason: "limit", detail: "the files couldn't be listed" });
    const groups = new Set(changed.map((path) => translationName(path)?.group ?? path));
    const wanted = new Set(changed);
    for (const group of groups)
      for (const path of translationsOf(group, paths ?? []).keys()) wanted.add(path);
    const listed = [...wanted].slice(0, MAX_FILES);
    const texts = new Map<string, string>();
    let chars = 0;
    for (let at = 0; at < listed.length && chars < MAX_CHARS; at += FILES_PER_READING) {
      const batch = listed.slice(at, at + FILES_PER_READING);
      for (const [path, bytes] of await repository.readFiles(headOf(change), batch, MAX_PARSED_BYTES)) {
        const text = decodeBytes(bytes);
        texts.set(path, text);
        chars += text.length;
      }
    }
    const left = wanted.size - texts.size;
    if (left > 0)
      degradations.miss({ ...NEED, reason: "limit", detail: `${count(left, "file")} exceeded the limits` });
    return texts;
  });
  return read ?? new Map();
}
