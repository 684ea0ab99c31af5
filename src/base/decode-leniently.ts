/** Decodes the percent signs of a URL. A text that isn't encoded correctly stays as it is. */
export function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
