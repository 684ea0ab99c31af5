/**
 * The checksum that GitHub's and npm's access tokens carry: the last six characters are the CRC-32 of the
 * part between prefix and checksum, in base 62. It distinguishes invented tokens from real ones without a request.
 */

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_CHARS = 6;

/** `token` is a prefix that ends in "_", then the random part, then the checksum. */
export function hasGithubChecksum(token: string): boolean {
  const random = token.slice(token.indexOf("_") + 1, -CHECKSUM_CHARS);
  return token.endsWith(checksumOf(random));
}

/** Six base-62 digits, padded with zeros. */
export function checksumOf(random: string): string {
  let rest = crc32(random);
  let digits = "";
  while (rest > 0) {
    digits = (DIGITS[rest % 62] ?? "") + digits;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(CHECKSUM_CHARS, "0");
}

/** The reflected polynomial of the CRC-32 that zip and PNG use. */
const POLYNOMIAL = 0xedb88320;

function crc32(ascii: string): number {
  let crc = 0xffffffff;
  for (const char of ascii) {
    crc ^= char.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (POLYNOMIAL & -(crc & 1));
  }
  return (crc ^ 0xffffffff) >>> 0;
}
