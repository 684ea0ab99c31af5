/** Reports credentials in a change's title, description and commit messages, by place and kind, never by value. */
import { DESCRIPTION_PATH } from "../../review/findings/description-path.ts";
import { findCertainSecrets, mayHoldSecrets, PROVIDER_KINDS } from "../../base/secrets/secret-patterns.ts";
import type { SecretSpan } from "../../base/secrets/secret-span.ts";
import {
  describePlaces,
  descriptionTexts,
  type DescriptionText,
  placeIn,
} from "../lines/description-texts.ts";
import type { ChangeRule } from "../rule.ts";
import { secretLabel } from "../../base/secrets/secret-label.ts";

/** Passwords in prose are usually examples, and keys for web pages are public. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "environment-setting",
  "google-api-key",
  "telegram-bot-token",
]);
const NOT_A_SECRET =
  /integrity|sha(?:1|256|512)|checksum|digest|hash|fingerprint|nonce|csrf|public|etag|cursor|page_?token|next_?token/i;

export const secretInDescription: ChangeRule = {
  kind: "change",
  id: "secret-in-description",
  title: "Credential in the description or a commit message",
  severity: "critical",
  proof: "credential",
  category: "security",
  why: "Anyone who can read the change can use it. Notification emails already contain it, and the edit history keeps the old text.",
  fix: "Revoke it at the provider now, then remove it from the text. Rewrite an affected commit message before the merge.",
  *check({ change }) {
    const found = descriptionTexts(change).flatMap(secretsIn);
    if (found.length === 0) return;
    const kinds = [...new Set(found.map(({ kind }) => secretLabel(kind)))].join(", ");
    const isProven = found.some(({ kind }) => PROVIDER_KINDS.has(kind) || kind === "private-key");
    yield {
      path: DESCRIPTION_PATH,
      line: 0,
      detail: `Detected: ${kinds}. ${describePlaces(found.map(({ place }) => place))}`,
      ...(isProven ? {} : { severity: "must-fix" as const, proof: null }),
    };
  },
};

type Found = { readonly kind: string; readonly place: string };

function secretsIn(described: DescriptionText): readonly Found[] {
  if (!mayHoldSecrets(described.text)) return [];
  return findCertainSecrets(described.text)
    .filter((span) => isReported(span, described.text))
    .map(({ kind, start }) => ({ kind, place: placeIn(described, start) }));
}

function isReported({ kind, start }: SecretSpan, text: string): boolean {
  if (LEFT_OUT.has(kind)) return false;
  if (kind !== "named-secret") return true;
  const before = text.slice(text.lastIndexOf("\n", start) + 1, start);
  return !NOT_A_SECRET.test(before);
}
