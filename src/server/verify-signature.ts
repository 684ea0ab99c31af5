/**
 * Checks `X-Hub-Signature-256`: an HMAC over the bytes as they came, compared in constant time. Over bytes, because a text
 * that was decoded and encoded again need not be the same. Several secrets count while one is being replaced.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

const FORM = /^sha256=[0-9a-f]{64}$/;

export function verifySignature(
  body: Uint8Array,
  signature: string | undefined,
  ...secrets: readonly string[]
): boolean {
  if (signature === undefined || !FORM.test(signature)) return false;
  const given = Buffer.from(signature.slice("sha256=".length), "hex");
  return secrets.some((secret) => timingSafeEqual(createHmac("sha256", secret).update(body).digest(), given));
}
