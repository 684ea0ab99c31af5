/**
 * Verifies `X-Hub-Signature-256`: an HMAC over the raw bytes, compared in constant time. Decoding and encoding the body
 * could change its bytes.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

const FORM = /^sha256=[0-9a-f]{64}$/;

export function verifySignature(body: Uint8Array, signature: string | undefined, secret: string): boolean {
  if (signature === undefined || !FORM.test(signature)) return false;
  const given = Buffer.from(signature.slice("sha256=".length), "hex");
  return timingSafeEqual(createHmac("sha256", secret).update(body).digest(), given);
}
