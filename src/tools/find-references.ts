/** `find_references`: where a name is used. */
import { createNameTool } from "./name-tool.ts";

export const findReferences = createNameTool({
  name: "find_references",
  description:
    "Where a name is used in the whole repository, without declarations, comments and strings. Says which uses are certain by their imports and which only share the name. At most 100.",
  what: "use",
  isWanted: (role) => role.kind === "use" || (role.kind === "text" && !role.isLikely),
});
