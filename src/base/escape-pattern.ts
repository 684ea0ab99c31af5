/** Replaces `RegExp.escape`, which Node 22 doesn't have. For text outside a character class. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
