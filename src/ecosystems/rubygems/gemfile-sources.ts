/** The sources of a Gemfile for all gems. A gem in the block of a source has that origin. */
import type { SourceFormat } from "../sources/source-format.ts";
import { forAll } from "../sources/registry-source.ts";
import { parseRubyArguments, readRubyStatements } from "./ruby-call.ts";

export const gemfileSources: SourceFormat = {
  path: /^(.*\/)?(?:Gemfile|gems\.rb)$/,
  read: (text) =>
    readRubyStatements(text).flatMap(({ text: statement }) => {
      const [, rest] = /^source\b\s*(.*)$/s.exec(statement) ?? [];
      if (rest === undefined || /\sdo$/.test(rest)) return [];
      const bare = rest.replace(/^\((.*)\)$/s, "$1");
      const [url] = parseRubyArguments(bare).positional;
      return [forAll(typeof url === "string" ? url : bare.replace(/^:/, ""))];
    }),
};
