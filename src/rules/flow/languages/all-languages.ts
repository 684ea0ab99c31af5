/** The languages in which values are followed. */
import type { SyntaxLanguage } from "../../../syntax/syntax.ts";
import type { FlowLanguage } from "../language.ts";
import { csharp } from "./csharp.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { javascript } from "./javascript.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";

const LANGUAGES = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  python,
  go,
  java,
  csharp,
  ruby,
  php,
  rust,
} satisfies Partial<Record<SyntaxLanguage, FlowLanguage>>;

/** The languages that flow rules check. */
export const FLOW_LANGUAGES = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[];

export function flowLanguageOf(language: string): FlowLanguage | null {
  return Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language as keyof typeof LANGUAGES] : null;
}
