/**
 * Folds a path to the form that it shares with every path a file system could take for it. Systems differ: some ignore case, some
 * compose characters, some drop invisible ones, dots and spaces. This folds more than any of them, because a fold only ever refuses.
 */

/** Characters that are invisible, or that a file system drops from names. */
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Windows drops them from the end of a name. */
const DROPPED_AT_END = /[. ]+$/;

/** The name of a stream comes after it on Windows: `.git::$INDEX_ALLOCATION` is `.git`. */
const STREAM = /:.*$/s;

/** Printable ASCII without capitals, which most paths are. Nothing but dots, spaces and colons can be folded in them. */
const IS_PLAIN = /^[!-9;-@[-~]*$/;

/** Folds one name. A slash in it is a character that looks like one, and stays in the name. */
export function foldName(name: string): string {
  if (IS_PLAIN.test(name) && !name.endsWith(".")) return name;
  const dropped = foldLetters(name).replace(STREAM, "").replace(DROPPED_AT_END, "");
  // A name of dots alone is folded to nothing.
  return dropped.replaceAll("/", "\u2215");
}

/** Folds every name of a path. */
export function foldPath(path: string): string {
  return path.split("/").map(foldName).join("/");
}

/** Letters in one form: compatibility characters, case in both directions (ı, ſ, K and ẞ become i, s, k and ss), no invisible ones. */
export function foldLetters(text: string): string {
  const composed = text.normalize("NFKC").replace(IGNORABLE, "");
  const folded = composed.toLowerCase().toUpperCase().toLowerCase().replaceAll("i\u0307", "i");
  return folded.normalize("NFKC");
}
