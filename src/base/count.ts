/** Formats numbers with their nouns. */

/** `count(2, "file")` is "2 files"; numbers are grouped as 12,345. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** Digits in groups of three, the same in every locale. */
export function grouped(number: number): string {
  const digits = String(number);
  const groups = [digits.slice(0, digits.length % 3 || 3)];
  for (let at = digits.length % 3 || 3; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return groups.join(",");
}
