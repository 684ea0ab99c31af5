/** Levels of reasoning effort that configuration and models share, from least to most. */

export const EFFORTS = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;

export type Effort = (typeof EFFORTS)[number];
