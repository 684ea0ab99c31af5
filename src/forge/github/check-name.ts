/** The external id of the app's check: the pull request, which GitHub doesn't report for forks, and the marker. */

const NAME = /^pull-request:(\d{1,15}):/;

export function nameCheck(number: number, marker: string): string {
  return `pull-request:${number}:${marker.replace(/^<!-- | -->$/g, "")}`;
}

/** Null if the check has no such external id. */
export function pullRequestOfCheck(externalId: string): number | null {
  const number = NAME.exec(externalId)?.[1];
  return number === undefined ? null : Number(number);
}
