/** The app at its host: its credentials, and its permissions and events against those that Kodiai needs. */
import type { MissingGrant } from "../../forge/app-inspection.ts";
import { type AppAccess, inspectApp } from "../app-access.ts";
import { type CheckFinding, type DoctorCheck, failure, fine } from "../check.ts";

export function createAppCheck(access: AppAccess): DoctorCheck {
  return {
    name: "app",
    run: () =>
      inspectApp(access, "The app's credentials, permissions and events", async (inspection) => {
        const { slug, missing } = await inspection.readApp();
        return [fine(`The host accepts the credentials of the app ${slug}.`), ...missing.map(judgeGrant)];
      }),
  };
}

function judgeGrant({ kind, name, isRequired, use }: MissingGrant): CheckFinding {
  if (!isRequired)
    return fine(
      kind === "permission"
        ? `The app doesn't have the optional permission "${name}", which Kodiai needs to ${use}.`
        : `The app doesn't have the optional event "${name}", which reports ${use}.`,
    );
  return kind === "permission"
    ? failure("app-permission-missing", {
        what: `The app lacks the permission "${name}", which Kodiai needs to ${use}.`,
        remedy:
          "Add it on the app's page under Permissions & events, and accept it where the app is installed.",
      })
    : failure("app-event-missing", {
        what: `The app doesn't subscribe to the event "${name}", which reports ${use}.`,
        remedy: "Add it on the app's page under Permissions & events.",
      });
}
