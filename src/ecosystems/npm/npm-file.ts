/** Matches files of this name that aren't part of an installed package. `name` is the source of an expression. */
export const npmFile = (name: string): RegExp =>
  new RegExp(`^(?!(?:.*/)?node_modules/)(?:.*/)?${name}$`, "s");
