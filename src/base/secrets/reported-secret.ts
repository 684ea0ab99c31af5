/** Decides which of the secrets that detectors find are reported, by their kind and the file that they are in. Pure. */
import { PROVIDER_KINDS } from "./secret-patterns.ts";
import { isMachineWritten, isSample, isTranslationFile } from "../path-kinds.ts";

type SecretPlace = { readonly path: string; readonly category: string };

/** Public keys of web pages and apps: they identify a project but grant no access. */
const PUBLIC_BY_DESIGN =
  /firebase|google-services|GoogleService-Info|maps|recaptcha|youtube|publishable|anon|algolia|docusaurus|docsearch|vitepress/i;

const NOT_A_SECRET =
  /integrity|sha(?:1|256|512)|checksum|digest|hash|fingerprint|nonce|csrf|public|etag|cursor|page_?token|next_?token/i;

/** `text` is the line of the secret. */
export function isReportedSecret(kind: string, text: string, file: SecretPlace): boolean {
  // Plain passwords are reported where they matter: in images and committed environment files.
  if (kind === "environment-setting") return false;
  if (kind === "google-api-key" && (PUBLIC_BY_DESIGN.test(text) || PUBLIC_BY_DESIGN.test(file.path)))
    return false;
  if (PROVIDER_KINDS.has(kind) && kind !== "telegram-bot-token") return true;
  if (mayBeSampleSecret(file)) return false;
  if (kind === "private-key") return true;
  if (isTranslationFile(file.path) || isMachineWritten(file.path)) return false;
  return !NOT_A_SECRET.test(text) && !PUBLIC_BY_DESIGN.test(text) && !PUBLIC_BY_DESIGN.test(file.path);
}

const MARK =
  /(?<![a-z])(?:tests?|testing|dummy|fake|mock|examples?(?!\.[a-z])|samples?|demo|insecure|throwaway|placeholder|snake[ _-]?oil|self[ _-]?signed)(?![a-z])|\bnot (?:a )?(?:real|secret|used)\b|\bdo(?: not|n't) use\b/i;

/** `testCerts`, `TEST_KEY` and `testkeys` have the word too. */
const JOINED = /test(?=keys?|certs?|data|servers?)/gi;

/** Whether a name or a comment on one of these lines, or the file's name, says that a key is for tests. */
export function isMarkedAsTest(lines: readonly string[], path: string): boolean {
  return [...lines, path.slice(path.lastIndexOf("/") + 1)].some((text) =>
    MARK.test(
      text
        .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
        .replaceAll(JOINED, "test ")
        .replaceAll("_", " "),
    ),
  );
}

/** Tests, docs and samples contain dummy values, unless the format proves otherwise. */
export function mayBeSampleSecret(file: SecretPlace): boolean {
  return file.category === "test" || file.category === "docs" || isSample(file.path);
}
