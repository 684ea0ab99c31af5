/** The manifest of the published package, made from the one of a checkout. */

/** The fields of a manifest that decide what npm installs. */
export type Manifest = {
  readonly version: string;
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** Leaves out the Node that a checkout includes, development tools and scripts, and adds the required Node version. */
export function trimManifest(original: Manifest & Readonly<Record<string, unknown>>): Manifest {
  const {
    scripts: _scripts,
    devDependencies: _tools,
    overrides: _overrides,
    allowScripts: _denied,
    ...manifest
  } = original;
  const optional = Object.entries(manifest.optionalDependencies).filter(
    ([name]) => !name.startsWith("node-"),
  );
  const packed = {
    ...manifest,
    optionalDependencies: Object.fromEntries(optional),
    // The same version as in bin/own-node.js.
    engines: { node: ">=22.16" },
  };
  return packed;
}
