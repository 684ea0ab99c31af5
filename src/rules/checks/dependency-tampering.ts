/** Reports lockfiles that were changed as no tool changes them: other bytes under the same version, another registry, a foreign address. */
import { isTampering } from "../../ecosystems/supply-chain/signal.ts";
import { groupSignals } from "../lines/group-signals.ts";
import type { ChangeRule } from "../rule.ts";

export const dependencyTampering: ChangeRule = {
  kind: "change",
  id: "dependency-tampering",
  title: "Possible tampering with a dependency",
  severity: "critical",
  category: "security",
  why: "An entry that points elsewhere installs code that wasn't published under this name and version, and people rarely read lockfiles.",
  fix: "Restore the entry from the base branch, and update it with the package manager from its registry.",
  confidence: 0.9,
  *check({ dependencies, files }) {
    for (const group of groupSignals(dependencies, files, isTampering)) {
      const { path, line, names, problem, detail, isRefused } = group;
      yield {
        path,
        line,
        title: `${problem ?? "Possible tampering"}: ${names}`,
        detail,
        proof: isRefused ? "unparsable" : null,
      };
    }
  },
};
