/** Reports lockfiles that were changed as no tool changes them: other bytes under the same version, another registry, a foreign address. */
import { isTampering, type SignalKind } from "../../ecosystems/supply-chain/signal.ts";
import { exampleReport } from "../lines/example-report.ts";
import { groupSignals } from "../lines/group-signals.ts";
import type { ChangeRule } from "../rule.ts";

const LOCK = { path: "package-lock.json", before: '{ "a": 1 }\n', after: '{ "a": 2 }\n' };

const reportWith = (kind: SignalKind) =>
  exampleReport({ signals: [{ kind, path: "package-lock.json", from: "a", to: "b" }] });

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
    for (const { path, line, names, detail } of groupSignals(dependencies, files, isTampering)) {
      yield {
        path,
        line,
        title: `Possible tampering with ${names}`,
        detail,
      };
    }
  },
  examples: {
    bad: [
      { line: 0, files: [LOCK], dependencies: reportWith("integrity-changed") },
      { line: 0, files: [LOCK], dependencies: reportWith("registry-changed") },
    ],
    good: [
      { files: [LOCK], dependencies: reportWith("young-release") },
      { files: [LOCK], dependencies: exampleReport({}) },
      { files: [LOCK] },
    ],
  },
};
