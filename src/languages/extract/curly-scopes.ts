/** Follows the braces of a language with classes and namespaces, so that code in bodies of functions can be left out. */
import { CLOSE, CLOSE_BRACE, CLOSE_BRACKET, OPEN, OPEN_BRACE, OPEN_BRACKET } from "./characters.ts";

/** A namespace or another block that doesn't hide its contents; the body of a type; anything else. */
export type ScopeKind = "space" | "type" | "body";

export type CurlyScopes = {
  /** The kind of the next block. */
  ahead: ScopeKind;
  /** Open parentheses and square brackets. */
  parens: number;
  /** Not in a body, and not in parentheses. */
  isOuter(): boolean;
  /** Directly in the body of a type. */
  isMember(): boolean;
  /** Handles a bracket. True for a brace. */
  take(code: number): boolean;
  /** Closes bodies that were left open by misread code. False if there are none. */
  closeBodies(): boolean;
};

export function createCurlyScopes(): CurlyScopes {
  const open: ScopeKind[] = [];
  /** For each open brace, the parentheses around it. */
  const parensAround: number[] = [];
  let bodies = 0;

  function close(): void {
    if (open.pop() === "body") bodies--;
    scopes.parens = parensAround.pop() ?? 0;
  }

  const scopes: CurlyScopes = {
    ahead: "body",
    parens: 0,
    isOuter: () => bodies === 0 && scopes.parens === 0,
    isMember: () => bodies === 0 && scopes.parens === 0 && open[open.length - 1] === "type",
    take(code) {
      if (code === OPEN || code === OPEN_BRACKET) scopes.parens++;
      else if (code === CLOSE || code === CLOSE_BRACKET) scopes.parens = Math.max(0, scopes.parens - 1);
      else if (code === OPEN_BRACE) {
        // A block in parentheses is a lambda or an initializer.
        const kind = scopes.parens > 0 ? "body" : scopes.ahead;
        if (scopes.parens === 0) scopes.ahead = "body";
        open.push(kind);
        parensAround.push(scopes.parens);
        scopes.parens = 0;
        if (kind === "body") bodies++;
        return true;
      } else if (code === CLOSE_BRACE) {
        close();
        return true;
      }
      return false;
    },
    closeBodies() {
      if (bodies === 0) return false;
      while (bodies > 0) close();
      return true;
    },
  };
  return scopes;
}
