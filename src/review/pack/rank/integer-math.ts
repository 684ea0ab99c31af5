/** Logarithms and roots as integers. Floating-point logarithms differ in their last bit between machines, and so would the order of files. */

/** The fraction bits of `log2Fixed`: four digits are enough to tell two frequencies apart. */
const FRACTION_BITS = 12;

/** 1.0 as `log2Fixed` writes it. */
export const LOG2_ONE = 2 ** FRACTION_BITS;

/** Squares of this many bits are exact in a double. */
const MANTISSA_BITS = 26;

/** The base-2 logarithm of a whole number of at least 1, in units of 1/4096, rounded down. */
export function log2Fixed(value: number): number {
  let whole = 0;
  let mantissa = value;
  while (mantissa >= 2 ** MANTISSA_BITS) {
    mantissa = Math.floor(mantissa / 2);
    whole++;
  }
  while (mantissa < 2 ** (MANTISSA_BITS - 1)) {
    mantissa *= 2;
    whole--;
  }
  let result = whole + MANTISSA_BITS - 1;
  for (let bit = 0; bit < FRACTION_BITS; bit++) {
    mantissa = Math.floor((mantissa * mantissa) / 2 ** (MANTISSA_BITS - 1));
    result *= 2;
    if (mantissa < 2 ** MANTISSA_BITS) continue;
    mantissa = Math.floor(mantissa / 2);
    result++;
  }
  return result;
}

/** The square root of a whole number below 2^52, rounded down. */
export function integerSquareRoot(value: number): number {
  let root = Math.floor(Math.sqrt(value));
  while (root * root > value) root--;
  while ((root + 1) * (root + 1) <= value) root++;
  return root;
}
