/** Languages with the same kinds of defects. */
const FAMILIES: readonly (readonly string[])[] = [
  ["c", "cpp"],
  ["typescript", "javascript", "tsx", "jsx"],
  ["kotlin", "java"],
];

export function areRelated(a: string, b: string): boolean {
  return a === b || FAMILIES.some((family) => family.includes(a) && family.includes(b));
}
