/** go.env and .envrc: the modules that Go itself doesn't ask the public proxy for. */
import type { SourceFormat } from "../sources/source-format.ts";
import { ALL_PACKAGES } from "../sources/registry-source.ts";

const SETTING = /^[ \t]*(?:export[ \t]+)?(?:GOPRIVATE|GONOPROXY|GONOSUMDB)=["']?([^\s"'#]*)/gm;

/** Each pattern also covers what is below it. */
export const goEnvironment: SourceFormat = {
  path: /^(.*\/)?(?:go\.env|\.envrc)$/,
  read: (text) =>
    [...text.matchAll(SETTING)]
      .flatMap(([, patterns = ""]) => patterns.split(","))
      .filter((pattern) => pattern !== "" && pattern !== "none")
      .map((pattern) => ({ pattern: goPattern(pattern.replace(/\/?\*?$/, "")), url: "" })),
};

/** `*.acme.example` is about hosts. A variable, or any other wildcard, may mean every module. */
function goPattern(pattern: string): string {
  if (/^\*\.[\w.-]+$/.test(pattern)) return pattern;
  return /[*?[$]/.test(pattern) ? ALL_PACKAGES : `${pattern}*`;
}
