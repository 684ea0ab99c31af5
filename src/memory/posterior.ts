/** How sure we can be that most people reject a pattern, from weighted signals for and against it. */

export type Evidence = { readonly rejections: number; readonly acceptances: number };

/**
 * The probability that more than half of the signals to come reject, under the posterior Beta(1 + rejections, 1 + acceptances). Without
 * evidence it is 1/2.
 */
export function probabilityOfRejection({ rejections, acceptances }: Evidence): number {
  return incompleteBeta(0.5, 1 + acceptances, 1 + rejections);
}

/** The regularized incomplete beta function I_x(a, b): the distribution function of Beta(a, b) at x. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on this side of the mean only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return (front / a) * continuedFraction(x, a, b);
}

/** About the square root of the larger parameter is enough, and no repository has 10,000 signals on one pattern. */
const MAX_TERMS = 1_000;
const PRECISION = 1e-14;
/** Stands for 0 where the method divides. */
const TINY = 1e-300;

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let step = 1;
    for (const numerator of [even, odd]) {
      d = 1 / awayFromZero(1 + numerator * d);
      c = awayFromZero(1 + numerator / c);
      step = d * c;
      fraction *= step;
    }
    if (Math.abs(step - 1) < PRECISION) break;
  }
  return fraction;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** Lanczos approximation with g = 7; its error is below 1e-14 for the arguments here, which are at least 1. */
const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

function logGamma(value: number): number {
  const z = value - 1;
  const t = z + 7.5;
  const sum = LANCZOS.reduce((so, each, index) => so + each / (z + index + 1), 0.99999999999980993);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}
