/** Dollars as whole millionths, which add up exactly. */

const MICROS = 1_000_000;

/** What a product of decimal fractions may be off by; far below a millionth. */
const ROUNDING_SLACK = 1e-4;

/** Never less than it is. Throws for what is no amount. */
export function toMicroUsd(usd: number): number {
  if (!Number.isFinite(usd) || usd < 0) throw new RangeError(`${usd} is not an amount of money`);
  return Math.max(0, Math.ceil(usd * MICROS - ROUNDING_SLACK));
}

export function fromMicroUsd(microUsd: number): number {
  return microUsd / MICROS;
}
