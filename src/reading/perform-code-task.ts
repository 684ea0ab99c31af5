/** Performs the tasks that read code without any rule: facts for the code index, outlines, and what a name is on each line. */
import type { Performers } from "../base/task-process/serve-tasks.ts";
import { nameRoles } from "../syntax/name-roles.ts";
import type { Syntax } from "../syntax/syntax.ts";
import type { CodeTasks } from "./reader.ts";

export function codePerformers(loadSyntax: () => Promise<Syntax>): Performers<CodeTasks> {
  return {
    async "extract-facts"({ files }) {
      const { extractFacts } = await import("../languages/extract/extract-facts.ts");
      const { encodeFacts } = await import("../languages/extract/encode-facts.ts");
      return files.map(({ language, text }) => encodeFacts(extractFacts(language, text)));
    },
    async "outline-files"({ files }) {
      const { outlineFile } = await import("../languages/outline/outline-file.ts");
      const syntax = await loadSyntax();
      return files.map(({ language, text }) => outlineFile(language, text, syntax));
    },
    async "name-roles"({ language, text, name }) {
      const syntax = await loadSyntax();
      const tree = syntax.supports(language) ? syntax.parse(language, text) : null;
      return tree === null ? null : nameRoles(tree, name);
    },
  };
}
