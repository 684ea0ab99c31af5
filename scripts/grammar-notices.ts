/**
 * The notices of the tree-sitter grammars that the packages @ast-grep/lang-* contain as libraries. Those packages come without them, and the
 * license of each grammar requires them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** From the file LICENSE of each version. All of them are MIT. */
const GRAMMARS: Readonly<Record<string, readonly [version: string, ...copyrights: string[]]>> = {
  "tree-sitter-bash": ["0.25.1", "Copyright (c) 2017 Max Brunsfeld"],
  "tree-sitter-c": ["0.24.1", "Copyright (c) 2014 Max Brunsfeld"],
  "tree-sitter-cpp": ["0.23.4", "Copyright (c) 2014 Max Brunsfeld"],
  "tree-sitter-c-sharp": [
    "0.23.1",
    "Copyright (c) 2014-2023 Max Brunsfeld, Damien Guard, Amaan Qureshi, and contributors.",
  ],
  "tree-sitter-go": ["0.25.0", "Copyright (c) 2014 Max Brunsfeld"],
  "tree-sitter-java": ["0.23.5", "Copyright (c) 2017 Ayman Nadeem"],
  "tree-sitter-kotlin": ["0.3.8", "Copyright (c) 2019 fwcd"],
  "tree-sitter-php": [
    "0.24.2",
    "Copyright (c) 2017 Josh Vera, GitHub",
    "Copyright (c) 2019 Max Brunsfeld, Amaan Qureshi, Christian Frøystad, Caleb White",
  ],
  "tree-sitter-python": ["0.25.0", "Copyright (c) 2016 Max Brunsfeld"],
  "tree-sitter-ruby": ["0.23.1", "Copyright (c) 2016 Rob Rix"],
  "tree-sitter-rust": ["0.23.2", "Copyright (c) 2017 Maxim Sokolov"],
};

/** The notice of the grammar in a package @ast-grep/lang-*. Throws if the package has another version of it: read its LICENSE then. */
export function grammarNotice(folder: string): string {
  const { devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  for (const [name, [version, ...copyrights]] of Object.entries(GRAMMARS))
    if (devDependencies[name] === version)
      return [`${name} ${version} (MIT), compiled:`, ...copyrights].join("\n");
  throw new Error(`${folder}: the notice of its grammar isn't in scripts/grammar-notices.ts`);
}
