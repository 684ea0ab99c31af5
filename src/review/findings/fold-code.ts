/** Code without what moving and reformatting change: white space and punctuation at the end of a line. */
export function foldCode(code: string): string {
  return code
    .split("\n")
    .map((line) => line.replaceAll(/\s/g, "").replace(/[,;]$/, ""))
    .join("\n");
}
