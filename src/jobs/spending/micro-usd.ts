/** Dollars as whole millionths, which add up exactly. */

const MICROS = 1_000_000;

/** The rounding error of a product of decimal fractions; far below a millionth. */
const ROUNDING_SLACK = 1e-4;

/** Rounds up. Throws for a value that isn't an amount. */
export function toMicroUsd(usd: number): number {
  if (!Number.isFinite(usd) || usd < 0) throw new RangeError(`${usd} is not an amount of money`);
  return Math.max(0, Math.ceil(usd * MICROS - ROUNDING_SLACK));
}

export function fromMicroUsd(microUsd: number): number {
  return microUsd / MICROS;
}
