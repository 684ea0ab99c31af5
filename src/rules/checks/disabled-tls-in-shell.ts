/** TLS verification disabled in scripts, Dockerfiles and pipelines. Local machines and private names are ignored. */
import type { FileView, LineRule, RuleMatch } from "../rule.ts";
import type { AddedLine } from "../../review/change/walk-hunks.ts";
import { isInHeredoc, SHELL_LANGUAGES, shellCode, shellCodeQuoted } from "../lines/shell-text.ts";

const CURL = /\bcurl\s(?:[^|;&]{0,300}\s)?(?:-[fsSLvkiIgGOJ]{0,8}k[fsSLviIgGOJo]{0,8}|--insecure)(?=\s|$)/;
const WGET = /\bwget\s(?:[^|;&]{0,300}\s)?--no-check-certificate(?=\s|$)/;
const GIT = /\bgit\s(?:[^|;&]{0,100}\s)?(?:-c\s+)?http\.sslVerify(?:=|\s+)(?:false|0)\b/i;
const NPM = /\b(?:npm|yarn|pnpm)\s+(?:config\s+)?set\s+strict-ssl(?:=|\s+)false\b/;
/** Packages that aren't verified, and hosts whose key isn't. */
const UNVERIFIED =
  /\b(?:apt|apt-get|yum|dnf|zypper)\s(?:[^|;&]{0,200}\s)?(?:--allow-unauthenticated|--nogpgcheck|--no-gpg-checks)(?=\s|$)|\b(?:ssh|scp|sftp|rsync)\s[^|;&]{0,200}StrictHostKeyChecking[= ]no\b/;
/** Applies to every program started later, so no host is needed. */
const ENVIRONMENT =
  /^\s*(?:(?:export|ENV|-)\s+)?(?:NODE_TLS_REJECT_UNAUTHORIZED|PYTHONHTTPSVERIFY)\s*[=:\s]\s*["']?0["']?\s*$|^\s*(?:(?:export|ENV|-)\s+)?GIT_SSL_NO_VERIFY\s*[=:\s]\s*["']?(?:1|true)["']?\s*$/;

/** A host with a public suffix. An IP address, a variable or an internal name may have no publicly signed certificate. */
const PUBLIC_HOST =
  /(?:https:\/\/|\s)(?:[a-z0-9-]+\.)+(?!local\b|internal\b|svc\b|lan\b|test\b|example\b|localhost\b)[a-z]{2,18}\//i;

function check(line: AddedLine, file: FileView): RuleMatch | null {
  if (
    !/curl|wget|sslVerify|strict-ssl|_TLS_|HTTPSVERIFY|GIT_SSL|unauthenticated|gpg-?check|HostKey/.test(
      line.text,
    ) ||
    /^\s*#/.test(line.text)
  )
    return null;
  const isPipeline = file.language !== "yaml" || file.category === "infra";
  if (ENVIRONMENT.test(line.text) && isPipeline) return { line: line.line };
  const code = shellCode(line, file);
  if (code === null) return null;
  const isDownload =
    (CURL.test(code) || WGET.test(code)) &&
    PUBLIC_HOST.test(withValues(shellCodeQuoted(line, file) ?? "", file));
  const isUnverified = UNVERIFIED.test(code);
  if (!isDownload && !isUnverified && !GIT.test(code) && !NPM.test(code)) return null;
  if (isInHeredoc(line, file)) return null;
  return isUnverified
    ? { line: line.line, severity: "minor", title: "Command skips verification" }
    : { line: line.line };
}

/** The code with variables at the start of a URL replaced by the fixed values that the change gives them. */
function withValues(code: string, { added }: FileView): string {
  return code.replace(/(\s["']?|https:\/\/)\$\{?(\w{1,40})\}?/g, (whole, before: string, name: string) => {
    const assigned = new RegExp(`^\\s*(?:export |readonly |ENV |ARG )?${name}=["']?(?:https://)?([\\w.-]+)`);
    const value = added.map(({ text }) => assigned.exec(text)?.[1]).find((each) => each !== undefined);
    return value === undefined ? whole : `${before.replace(/["']$/, "")}${value}/`;
  });
}

export const disabledTlsInShell: LineRule = {
  kind: "line",
  id: "disabled-tls-in-shell",
  title: "Command skips TLS certificate verification",
  severity: "major",
  category: "security",
  why: "Anyone on the network path can impersonate the server, and the response is installed or run as if it were genuine.",
  fix: "Remove the option. For a private CA, install its certificate and point the tool to it (`--cacert`, `GIT_SSL_CAINFO`, `NODE_EXTRA_CA_CERTS`).",
  languages: SHELL_LANGUAGES,
  check,
};
