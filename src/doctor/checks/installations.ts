/** Where the app is installed: suspended installations, permissions that their owners haven't accepted, and repositories. */
import { count } from "../../base/count.ts";
import type { AppInspection, Installed } from "../../forge/app-inspection.ts";
import { type AppAccess, inspectApp } from "../app-access.ts";
import { type CheckFinding, type DoctorCheck, failure, fine, notChecked, warning } from "../check.ts";

/** Each takes three requests. */
const MAX_COUNTED = 10;

export function createInstallationsCheck(access: AppAccess): DoctorCheck {
  return {
    name: "installations",
    run: () => inspectApp(access, "Installations", judgeInstallations),
  };
}

async function judgeInstallations(inspection: AppInspection): Promise<readonly CheckFinding[]> {
  const [{ missing: ofApp }, { installed, isAll }] = await Promise.all([
    inspection.readApp(),
    inspection.listInstallations(),
  ]);
  if (installed.length === 0)
    return [
      failure("installation-none", {
        what: "The app isn't installed anywhere.",
        remedy: "Select Install App on the app's page, and choose the repositories that it should review.",
      }),
    ];
  const missingInApp = new Set(ofApp.map(({ name }) => name));
  const active = installed.filter(({ isSuspended }) => !isSuspended);
  const counted = await Promise.all(
    active.slice(0, MAX_COUNTED).map(async (each) => ({
      account: each.account,
      repositories: await inspection.countRepositories(each.id),
    })),
  );
  const uncounted = active.length - counted.length;
  return [
    ...installed.flatMap((each) => judgeInstallation(each, missingInApp)),
    ...counted.map(judgeRepositories),
    ...(uncounted === 0 && isAll
      ? []
      : [notChecked(`The repositories of further installations: only ${MAX_COUNTED} are looked at.`)]),
  ];
}

/** A permission that the app lacks itself is reported with the app. */
export function judgeInstallation(
  { account, isSuspended, missing, url }: Installed,
  missingInApp: ReadonlySet<string>,
): readonly CheckFinding[] {
  if (isSuspended)
    return [
      warning("installation-suspended", {
        what: `The installation on ${account} is suspended, so nothing there is reviewed.`,
        remedy: `An owner of the account can unsuspend it at ${url}.`,
      }),
    ];
  return missing
    .filter(({ name, isRequired }) => isRequired && !missingInApp.has(name))
    .map(({ name, kind }) =>
      failure("installation-not-updated", {
        what: `The installation on ${account} hasn't accepted the ${kind} "${name}".`,
        remedy: `An owner of the account can accept it at ${url}.`,
      }),
    );
}

function judgeRepositories({
  account,
  repositories,
}: {
  readonly account: string;
  readonly repositories: number;
}): CheckFinding {
  if (repositories > 0)
    return fine(`Installed on ${account} with ${count(repositories, "repository", "repositories")}.`);
  return warning("installation-empty", {
    what: `The installation on ${account} has no repositories.`,
    remedy: "Its owner can add repositories in the settings of the installation.",
  });
}
