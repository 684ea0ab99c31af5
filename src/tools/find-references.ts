/** `find_references`: where a name is used. */
import { createNameTool } from "./name-tool.ts";

export const findReferences = createNameTool({
  name: "find_references",
  description:
    "Where a name is used in code: certain by imports, or the same name only. Generated and minified files are only counted. At most 100.",
  what: "use",
  isWanted: (role) => role.kind === "use" || (role.kind === "text" && !role.isLikely),
});
