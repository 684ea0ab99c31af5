/** The name of a package in a title. It has no spaces, so that it can't form a sentence that addresses a reader. */

/** The longest common ones are the addresses of Go's modules. */
const PACKAGE_NAME = /^[\w@./:+~-]{1,80}$/;

export function packageOr(name: string, otherwise: string): string {
  return PACKAGE_NAME.test(name) ? `\`${name}\`` : otherwise;
}
