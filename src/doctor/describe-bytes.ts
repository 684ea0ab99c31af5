/** Sizes in words: "3.2 GB", "64 MB". */
const UNITS = [
  ["GB", 1_000_000_000],
  ["MB", 1_000_000],
  ["kB", 1_000],
] as const;

export function describeBytes(bytes: number): string {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? (["bytes", 1] as const);
  const amount = bytes / size;
  return `${amount >= 10 || size === 1 ? Math.round(amount) : Math.round(amount * 10) / 10} ${unit}`;
}
