/** Runs ShellCheck on texts. */
import { languageOf } from "../../src/languages/language-of.ts";
import { loadShellcheck } from "../../src/linters/shellcheck/engine.ts";

export const engine = await loadShellcheck();

export async function checkScript(path: string, text: string): Promise<readonly string[]> {
  const found = await engine.check({ path, language: languageOf(path), text });
  const gap = found?.gap ?? null;
  return [
    ...(found?.diagnostics ?? []).map(({ rule, line }) => `${rule}:${line}`),
    ...(gap === null ? [] : [gap]),
  ];
}
