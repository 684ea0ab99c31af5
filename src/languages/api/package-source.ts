/** The source files of one version of a package. Paths have no leading folder of the archive; texts are UTF-8. */
export type PackageSource = ReadonlyMap<string, string>;
