/** The hosts of npm's public registry. Lockfiles name them, so that a package from anywhere else can be recognized. */
export const NPM_HOST = "registry.npmjs.org";
export const YARN_HOST = "registry.yarnpkg.com";
