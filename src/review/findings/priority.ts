/** The order of findings of the same severity: categories that people asked for, then confidence, then the risk of the file. */

export type PriorityFacts = {
  /** 0 to 1. */
  readonly confidence: number;
  /** 0 to 100. */
  readonly fileRisk: number;
  readonly isFocused: boolean;
};

/** Confidence counts in hundredths, so that the risk decides between findings that are about as certain. */
const STEPS = 100;

/** 0 to 1. */
export function priorityOf({ confidence, fileRisk, isFocused }: PriorityFacts): number {
  const certainty = (Math.round(confidence * STEPS) + fileRisk / 101) / (STEPS + 1);
  return (Number(isFocused) + certainty) / 2;
}
