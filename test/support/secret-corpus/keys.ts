/** Private keys in every format, secrets in base64, and tokens that span lines. */
import { checksumOf } from "../../../src/base/secrets/token-checksum.ts";
import { BASE64, base64, made, plant, type Planted } from "./planted.ts";

const KEY_NAME = "PRIVATE KEY";

const GITHUB = `ghp_${made("split", 30)}${checksumOf(made("split", 30))}`;
const WRAPPED = `ghp_${made("wrapped", 30)}${checksumOf(made("wrapped", 30))}`;

const body = (name: string, lines: number, width = 64): readonly string[] =>
  Array.from({ length: lines }, (_, line) => made(`${name} ${line}`, width, BASE64));

/** A key in several lines, all of which are secret. */
function key(format: string, lines: readonly string[], text: (lines: readonly string[]) => string): Planted {
  return { format, text: text(lines), secrets: lines.map((line) => line.slice(0, 40)) };
}

const pem = (kind: string, lines: readonly string[]): string =>
  [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ""].join("\n");

const ENCODED_KEY = base64(pem(KEY_NAME, body("encoded", 4)));
const ENCODED_CONFIG = base64(JSON.stringify({ auths: { "docker.io": { auth: base64("a:q7Rk2pXv") } } }));
const ENCODED_SETTINGS = base64(`LOG_LEVEL=debug\nDB_PASSWORD=k3Wd9xTz\n`);

export const KEYS: readonly Planted[] = [
  key("pkcs8 key", body("pkcs8", 6), (lines) => pem(KEY_NAME, lines)),
  key("rsa key", body("rsa", 6), (lines) => pem(`RSA ${KEY_NAME}`, lines)),
  key("encrypted key", body("encrypted", 6), (lines) => pem(`ENCRYPTED ${KEY_NAME}`, lines)),
  key("ssh key", body("ssh", 6, 70), (lines) => pem(`OPENSSH ${KEY_NAME}`, lines)),
  key("pgp key", body("pgp", 6), (lines) => pem(`PGP ${KEY_NAME} BLOCK`, ["", ...lines, "=a1B2"])),
  key("putty key", body("putty", 5), (lines) =>
    [
      "PuTTY-User-Key-File-3: ssh-rsa",
      "Public-Lines: 1",
      "AAAAB3NzaC1yc2EAAAADAQABAAABAQ",
      "Private-Lines: 5",
      ...lines,
      "Private-MAC: 00",
      "",
    ].join("\n"),
  ),
  key("key with escaped line ends", body("escaped", 5), (lines) =>
    JSON.stringify({ type: "service_account", ["private_key"]: pem(KEY_NAME, lines) }),
  ),
  key("key in quoted lines", body("quoted", 4), (lines) =>
    [
      `const key = "-----BEGIN ${KEY_NAME}-----\\n" +`,
      ...lines.map((line) => `  "${line}\\n" +`),
      `  "";`,
    ].join("\n"),
  ),
  key("middle of a key, neither border shown", body("middle", 7), (lines) => `${lines.join("\n")}\n`),
  key("middle of a key in YAML", body("middle yaml", 7), (lines) =>
    lines.map((line) => `    ${line}\n`).join(""),
  ),
  key("middle of an ssh key", body("middle ssh", 7, 70), (lines) => `${lines.join("\n")}\n`),
  key("middle of a key in quoted lines", body("middle quoted", 5), (lines) =>
    lines.map((line) => `  "${line}\\n" +\n`).join(""),
  ),
  plant("key in base64", ENCODED_KEY.slice(60, 120), () => `client-key-data: ${ENCODED_KEY}\n`),
  plant("github token in base64", base64(WRAPPED), (s) => `data:\n  setting: ${s}\n`),
  plant(
    "github token in the middle of base64",
    base64(`x=1\ntoken ${WRAPPED}\n`),
    (s) => `echo ${s} | base64 -d\n`,
  ),
  plant("docker config in base64", ENCODED_CONFIG, (s) => `data:\n  .dockerconfigjson: ${s}\n`),
  plant("settings in base64", ENCODED_SETTINGS, (s) => `env_file: ${s}\n`),
  {
    format: "token split by a plus",
    text: `const t = "${GITHUB.slice(0, 20)}" +\n  "${GITHUB.slice(20)}";\n`,
    secrets: [GITHUB.slice(0, 20), GITHUB.slice(20)],
  },
  {
    format: "token split on one line",
    text: `token := "${GITHUB.slice(0, 14)}" + "${GITHUB.slice(14)}"\n`,
    secrets: [GITHUB.slice(0, 14), GITHUB.slice(14)],
  },
  {
    format: "token split in python",
    text: `T = (\n    "${GITHUB.slice(0, 24)}"\n    "${GITHUB.slice(24)}"\n)\n`,
    secrets: [GITHUB.slice(0, 24), GITHUB.slice(24)],
  },
  {
    format: "token split in php",
    text: `$t = '${GITHUB.slice(0, 18)}'\n   . '${GITHUB.slice(18)}';\n`,
    secrets: [GITHUB.slice(0, 18), GITHUB.slice(18)],
  },
  {
    format: "token split by a continued line",
    text: `export TOKEN=${GITHUB.slice(0, 22)}\\\n${GITHUB.slice(22)}\n`,
    secrets: [GITHUB.slice(0, 22), GITHUB.slice(22)],
  },
  {
    format: "password split by a plus",
    text: `const password = "k7Rw2" +\n  "pXv9Lz";\n`,
    secrets: ["k7Rw2", "pXv9Lz"],
  },
];
