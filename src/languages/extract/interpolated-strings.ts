/** Strings that contain code, such as `"${name}"` in Kotlin and `$"{name}"` in C#. The code is scanned like other code. */
import { BACKSLASH, LF, OPEN_BRACE } from "./characters.ts";
import { type Scanner, setString } from "./scan-code.ts";

/** How a string ends, and how code in it starts. */
export type StringForm = {
  readonly closing: string;
  /** "${" or "#{" or "{". A doubled "{" is text. Null if it can't contain code. */
  readonly opening: string | null;
  readonly hasEscapes: boolean;
  /** A doubled quote is text, as in `@"…""…"`. */
  readonly hasDoubledQuotes?: boolean;
  readonly isMultiline: boolean;
};

export type InterpolatedStrings = {
  /** Takes a string, or its first part, from behind its quotes. The token starts at the scanner's position. */
  take(scanner: Scanner, from: number, form: StringForm): true;
  /** Handles a brace. True if it ends the code in a string, whose next part is then the token. */
  takeBrace(scanner: Scanner, code: number): boolean;
};

export function createInterpolatedStrings(): InterpolatedStrings {
  let braces = 0;
  const open: { readonly braces: number; readonly form: StringForm }[] = [];

  function take(scanner: Scanner, from: number, form: StringForm): true {
    const { text, limit, position: start } = scanner;
    const { closing, opening, hasEscapes, isMultiline } = form;
    const [last, first] = [closing.charCodeAt(0), opening?.charCodeAt(0)];
    for (let at = from; at < limit; at++) {
      const code = text.charCodeAt(at);
      if (code === last && text.startsWith(closing, at)) {
        const isDoubled = form.hasDoubledQuotes === true && text.charCodeAt(at + 1) === last;
        if (!isDoubled) return setString(scanner, start, from, at, at + closing.length);
        at++;
      } else if (code === BACKSLASH && hasEscapes) at++;
      else if (code === LF && !isMultiline) return setString(scanner, start, from, at, at);
      else if (code === first && opening !== null && text.startsWith(opening, at)) {
        if (opening === "{" && text.charCodeAt(at + 1) === OPEN_BRACE) at++;
        else {
          open.push({ braces, form });
          return setString(scanner, start, from, at, at + opening.length);
        }
      }
    }
    return setString(scanner, start, from, limit, limit);
  }

  return {
    take,
    takeBrace(scanner, code) {
      if (code === OPEN_BRACE) {
        braces++;
        return false;
      }
      const string = open[open.length - 1];
      if (string === undefined || string.braces !== braces) {
        braces--;
        return false;
      }
      open.pop();
      return take(scanner, scanner.position + 1, string.form);
    },
  };
}
