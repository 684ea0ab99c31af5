/** Access to the app at its host, for the checks that need it. */
import { KodiaiError } from "../base/errors.ts";
import type { AppInspection } from "../forge/app-inspection.ts";
import { adviceOf, type CheckFinding, failure, notChecked, unknown } from "./check.ts";

/** The app at its host, or why it can't be inspected. */
export type AppAccess =
  | { readonly kind: "inspectable"; readonly inspection: AppInspection }
  | { readonly kind: "not-configured" | "invalid-settings" };

/** Runs a check against the host. Its failures become findings; `subject` begins the sentence that says what wasn't checked. */
export async function inspectApp(
  access: AppAccess,
  subject: string,
  check: (inspection: AppInspection) => Promise<readonly CheckFinding[]>,
): Promise<readonly CheckFinding[]> {
  switch (access.kind) {
    case "not-configured":
      return [notChecked(`${subject}: no app is configured. See docs/github-app.md.`)];
    case "invalid-settings":
      return [
        unknown("setting-invalid", {
          what: `${subject} couldn't be checked, because settings of the app are invalid.`,
          remedy: "Correct the settings that this report lists.",
        }),
      ];
    case "inspectable":
      try {
        return await check(access.inspection);
      } catch (error) {
        return [findingOf(error)];
      }
  }
}

/** Only an answer of the host proves that something is wrong. */
function findingOf(error: unknown): CheckFinding {
  const isRefused = error instanceof KodiaiError && ["forbidden", "not-found"].includes(error.code);
  return isRefused
    ? failure("app-credentials-refused", adviceOf(error))
    : unknown("host-unreachable", adviceOf(error));
}
