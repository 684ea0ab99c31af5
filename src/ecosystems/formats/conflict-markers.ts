/** Finds the lines that git writes into a file when a merge conflicts. One is enough: half of a marked conflict is no valid file either. */
const MARKERS = ["<<<<<<<", ">>>>>>>"] as const;

export function hasConflictMarkers(text: string): boolean {
  return MARKERS.some((marker) => isAtLineStart(text, marker));
}

function isAtLineStart(text: string, marker: string): boolean {
  for (let at = text.indexOf(marker); at !== -1; at = text.indexOf(marker, at + marker.length)) {
    const isLineStart = at === 0 || text[at - 1] === "\n" || (at === 1 && text[0] === "\uFEFF");
    const after = text[at + marker.length];
    if (isLineStart && (after === undefined || after === " " || after === "\n" || after === "\r"))
      return true;
  }
  return false;
}
