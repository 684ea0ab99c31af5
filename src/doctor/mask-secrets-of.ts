/** Removes the values of secret settings from texts. No check shows one on purpose, but errors repeat what others wrote. */
import { maskCredentials } from "../base/secrets/mask-credentials.ts";
import { MASK } from "../base/secrets/mask-secrets.ts";

/** Names of variables whose value is a secret, of any program. */
const SECRET_NAME = /KEY|SECRET|TOKEN|PASS|CREDENTIAL|DATABASE_URL|PROXY/i;

/** A shorter value isn't a secret, and occurs in ordinary words: true, false. */
const MIN_SECRET_CHARS = 8;

/** Passwords of databases are sometimes short. */
const MIN_PASSWORD_CHARS = 4;

/** `values` are those of the environment and of `.env`. */
export function maskSecretsOf(
  values: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const named = Object.entries(values).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) ? [value.trim()] : [],
  );
  // The longest first: a secret may contain another one.
  const secrets = [...new Set(named.flatMap(secretsIn))].toSorted((a, b) => b.length - a.length);
  return (text) => maskCredentials(secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text));
}

/** The value and the lines of a key. Of an address only its password: hosts and databases are part of a useful message. */
function secretsIn(value: string): readonly string[] {
  const url = value.includes("://") ? URL.parse(value) : null;
  if (url !== null)
    return [url.password, decoded(url.password)].filter(({ length }) => length >= MIN_PASSWORD_CHARS);
  if (value.startsWith("sqlite:")) return [];
  const lines = value.split(/\\n|\r?\n/).filter((line) => !line.startsWith("-----"));
  return [value, ...lines].filter(({ length }) => length >= MIN_SECRET_CHARS);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
