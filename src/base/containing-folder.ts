/** The folder of a path with slashes, without a slash at its end; "" for a file at the root. */
export function containingFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
