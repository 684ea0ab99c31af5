/** Reports secrets that end up in an image's layers. Placeholder values are ignored. */
import { isDockerfile, isSample } from "../../base/path-kinds.ts";
import type { LineRule } from "../rule.ts";
import { isPassword } from "../../base/secrets/secret-values.ts";

const INSTRUCTION = /^\s*(ENV|ARG)\s+(.{1,1000})$/i;
const PAIR = /(?:^|\s)([A-Za-z_]\w{0,80})=("[^"]*"|'[^']*'|[^\s]+)/g;
const OLD_FORM = /^([A-Za-z_]\w{0,80})\s+([^=\s].*)$/;
const SECRET_NAME =
  /(?:^|_)(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY|SECRET_KEY_BASE|AUTH_KEY|CREDENTIALS?)$/i;
export const dockerfileSecret: LineRule = {
  kind: "line",
  id: "dockerfile-secret",
  title: "Secret baked into the image",
  severity: "must-fix",
  category: "security",
  why: "Anyone who can pull the image can read the secret with `docker history` or `docker inspect`, even if a later layer removes it.",
  fix: "Pass it when the container starts, or use `RUN --mount=type=secret` at build time. Then revoke this value.",
  languages: "any",
  isFor: ({ path }) => isDockerfile(path) && !isSample(path),
  check({ line, text }) {
    const name = secretName(INSTRUCTION.exec(text)?.[2] ?? "");
    return name === null ? null : { line, detail: `\`${name}\` has a hard-coded value.` };
  },
};

function secretName(assignments: string): string | null {
  const pairs = [...assignments.matchAll(PAIR)].map(([, name = "", value = ""]) => ({ name, value }));
  const [, name = "", value = ""] = pairs.length === 0 ? (OLD_FORM.exec(assignments) ?? []) : [];
  if (name !== "") pairs.push({ name, value });
  return pairs.find((pair) => SECRET_NAME.test(pair.name) && isRealValue(pair.value))?.name ?? null;
}

function isRealValue(quoted: string): boolean {
  return isPassword(quoted.trim().replace(/^(["'])(.*)\1$/, "$2"));
}
