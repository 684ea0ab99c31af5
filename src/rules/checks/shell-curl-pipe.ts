/** A downloaded script that is piped into a shell. Printed instructions, comments and well-known installers are ignored. */
import type { AddedLine } from "../../review/change/walk-hunks.ts";
import type { FileView, LineRule, RuleMatch } from "../rule.ts";
import { isInHeredoc, SHELL_LANGUAGES, shellCode, shellCodeQuoted } from "../lines/shell-text.ts";

const SHELL = "(?:sudo\\s+(?:-\\w+\\s+)*)?(?:/(?:usr/)?bin/)?(?:env\\s+)?(?:ba|z|da|k)?sh";
/** A command is at the start of its line or after a command separator; elsewhere it's prose. */
const PIPED = new RegExp(
  `(?:^|[|;&({])\\s*(?:(?:sudo|then|do|else|time|\\w+=\\S*)\\s+)*(?:curl|wget)\\s[^|;&]{0,400}\\|\\s*${SHELL}(?=\\s|$|[;&)])`,
);
const SUBSTITUTED =
  /(?:^|[\s;&|(])(?:(?:ba|z|da|k)?sh\s+-c\s+"?\$\((?:curl|wget)\s|(?:ba|z|da|k)?sh\s+<\((?:curl|wget)\s|(?:source|\.|eval)\s+"?(?:\$|<)\((?:curl|wget)\s)/;

/** Installers that their projects document this way, over HTTPS. */
const KNOWN_INSTALLER =
  /https:\/\/(?:sh\.rustup\.rs|rustup\.rs|static\.rust-lang\.org|get\.docker\.com|deb\.nodesource\.com|rpm\.nodesource\.com|get\.pnpm\.io|bun\.sh|deno\.land|astral\.sh|install\.python-poetry\.org|pyenv\.run|get\.k3s\.io|get\.helm\.sh|fly\.io|starship\.rs|nixos\.org|install\.determinate\.systems|get\.sdkman\.io|dot\.net|tailscale\.com|sentry\.io|codecov\.io|install\.meteor\.com|foundry\.paradigm\.xyz|getcomposer\.org|wasmtime\.dev|rustwasm\.github\.io|just\.systems|mise\.run|get\.volta\.sh|vercel\.com|cli\.github\.com|packages\.(?:microsoft|gitlab|cloud\.google)\.com|raw\.githubusercontent\.com\/(?:nvm-sh|Homebrew|helm|golangci|aquasecurity|anchore|goreleaser|cargo-bins|ohmyzsh|rvm|rbenv|pyenv|k3d-io|kubernetes-sigs|reviewdog|tfsec|terraform-linters)\/)/i;
const PLAIN_HTTP = /(?:curl|wget)\s[^|]{0,400}\bhttp:\/\/(?!localhost|127\.)/;

function check(line: AddedLine, file: FileView): RuleMatch | null {
  if (!/\b(?:curl|wget)\s/.test(line.text)) return null;
  const code = shellCode(line, file);
  if (code === null) return null;
  const isRun = PIPED.test(code) || isSubstituted(code, shellCodeQuoted(line, file) ?? "");
  if (!isRun || KNOWN_INSTALLER.test(line.text) || isInHeredoc(line, file)) return null;
  // Without TLS, anyone on the network path chooses the script.
  return PLAIN_HTTP.test(line.text) ? { line: line.line, severity: "major" } : { line: line.line };
}

/** The shell must be in code. Only its argument may be in quotes, which are blank in `code`. */
function isSubstituted(code: string, quoted: string): boolean {
  const found = SUBSTITUTED.exec(quoted);
  if (found === null) return false;
  const start = found.index + found[0].search(/[\w.]/);
  return code[start] === quoted[start];
}

export const shellCurlPipe: LineRule = {
  kind: "line",
  id: "shell-curl-pipe",
  title: "Downloaded script is executed without verification",
  severity: "minor",
  category: "security",
  why: "Nothing pins or verifies the content. Anyone who controls the URL controls what runs here, and an interrupted download runs half a script.",
  fix: "Download a fixed version to a file, verify its checksum, then run it.",
  languages: SHELL_LANGUAGES,
  check,
};
