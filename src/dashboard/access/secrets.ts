/** Random values of the dashboard, the hashes under which the store keeps them, and tokens encrypted at rest. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** 256 bits can't be guessed. */
const RANDOM_BYTES = 32;

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** 43 characters of base64url, which is also the shortest verifier that PKCE allows. */
export function randomSecret(): string {
  return randomBytes(RANDOM_BYTES).toString("base64url");
}

/** As the store keeps a secret, and as PKCE's S256 derives a challenge from a verifier. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** The form token of a session: a page can't be read by other sites, and the token can't be derived without the cookie. */
export function formTokenOf(sessionSecret: string): string {
  return createHmac("sha256", sessionSecret).update("form").digest("base64url");
}

/** In constant time. */
export function isEqualSecret(left: string, right: string): boolean {
  return timingSafeEqual(hash("sha256", left, "buffer"), hash("sha256", right, "buffer"));
}

export type Seal = {
  /** Bound to its row, so that one row's token doesn't open in another. */
  seal(text: string, row: string): string;
  /** Null if the text was sealed with another key, for another row, or was changed. */
  open(sealed: string, row: string): string | null;
};

/** The key derives from the secret of the app's OAuth. With another secret, people sign in again. */
export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "kodiai dashboard tokens", 32));
  return {
    seal(text, row) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(row));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
    },
    open(sealed, row) {
      const bytes = Buffer.from(sealed, "base64");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(Buffer.from(row))
          .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return Buffer.concat([
          decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
          decipher.final(),
        ]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
