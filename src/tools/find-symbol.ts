/** `find_symbol`: where a name is declared. */
import { createNameTool } from "./name-tool.ts";

export const findSymbol = createNameTool({
  name: "find_symbol",
  description: "Where a name is declared in the repository. At most 100.",
  what: "declaration",
  isWanted: (role) => role.kind === "declaration" || (role.kind === "text" && role.isLikely),
});
