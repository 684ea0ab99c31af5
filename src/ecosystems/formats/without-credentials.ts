/** Removes the user and password of a URL. An scp-like address (`git@host:path`) has no password and stays. */
export function withoutCredentials(url: string): string {
  return !url.includes("@") ? url : url.replace(/^([a-z][a-z0-9+.:-]{0,40}?\/\/)[^/?#]*@/i, "$1");
}
