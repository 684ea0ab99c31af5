/** *.gemspec, without running it. */
import type { DependencyFile, FileFormat, Listed } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { readGemVersions } from "./gem-requirement.ts";
import { parseRubyArguments, readRubyStatements } from "./ruby-call.ts";

export const GEMSPEC: FileFormat = {
  name: "gemspec",
  kind: "manifest",
  path: /\.gemspec$/,
  read: readWhole(readGemspec),
};

const CALL = /^\w+\.add_((?:runtime_|development_)?)dependency\b\s*(.*)$/s;

function readGemspec(text: string): DependencyFile | null {
  const listed: Listed[] = [];
  for (const { text: statement, line } of readRubyStatements(text)) {
    const [, kind, rest] = CALL.exec(statement) ?? [];
    if (rest === undefined) continue;
    const [name, ...versions] = parseRubyArguments(rest).positional;
    if (typeof name !== "string" || name === "") continue;
    listed.push(
      listPackage(name, {
        ...readGemVersions(versions),
        group: kind === "development_" ? "dev" : "runtime",
        line,
      }),
    );
  }
  return fileOf(listed);
}
