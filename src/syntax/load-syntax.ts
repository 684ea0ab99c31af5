/** Loads the parser once, when it is first needed. */
import type { Syntax } from "./syntax.ts";

/** `cacheFolder` is the user's own, from the parent, which knows the environment. */
export function createSyntaxLoader(cacheFolder: string | null): () => Promise<Syntax> {
  let syntax: Promise<Syntax> | null = null;
  return () =>
    (syntax ??= import("./ast-grep.ts").then(({ createAstGrepSyntax }) => createAstGrepSyntax(cacheFolder)));
}
