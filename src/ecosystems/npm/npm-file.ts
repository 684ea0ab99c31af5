/** Matches files of this name that aren't part of an installed package. `name` is the source of an expression. */
export const npmFile = (name: string): RegExp =>
  // The name comes first, because most paths have another one.
  new RegExp(`(?:^|/)${name}$(?<!(?:^|/)node_modules/.*)`, "s");
