/** Groups of tokens that several languages have: dotted names and brackets. */
import {
  CLOSE,
  CLOSE_BRACKET,
  DOT,
  GREATER,
  LESS,
  OPEN,
  OPEN_BRACE,
  OPEN_BRACKET,
  SEMICOLON,
} from "./characters.ts";
import { END, NAME, type Scanner, tokenText } from "./scan-code.ts";

/** Reads `a.b.c` on one line, and stops behind it. Empty if there is no name. */
export function readDotted(scanner: Scanner): string {
  let dotted = "";
  while (scanner.kind === NAME && !(scanner.isLineStart && dotted !== "")) {
    dotted += dotted === "" ? tokenText(scanner) : `.${tokenText(scanner)}`;
    scanner.next();
    if (scanner.code !== DOT) break;
    scanner.next();
  }
  return dotted;
}

/** Skips a group in parentheses or square brackets. */
export function skipGroup(scanner: Scanner): void {
  let depth = 0;
  do {
    if (scanner.code === OPEN || scanner.code === OPEN_BRACKET) depth++;
    else if (scanner.code === CLOSE || scanner.code === CLOSE_BRACKET) depth--;
    scanner.next();
  } while (depth > 0 && scanner.kind !== END);
}

/** Skips `<…>`. A brace or a semicolon ends it too, because then it wasn't one. */
export function skipAngles(scanner: Scanner): void {
  if (scanner.code !== LESS) return;
  let depth = 0;
  do {
    if (scanner.code === LESS) depth++;
    else if (scanner.code === GREATER) depth--;
    else if (scanner.code === OPEN_BRACE || scanner.code === SEMICOLON) return;
    scanner.next();
  } while (depth > 0 && scanner.kind !== END);
}
