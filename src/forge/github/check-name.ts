/** What a check of ours is called to GitHub: its pull request, which GitHub does not tell for forks, and its marker. */

const NAME = /^pull-request:(\d{1,15}):/;

export function nameCheck(number: number, marker: string): string {
  return `pull-request:${number}:${marker.replace(/^<!-- | -->$/g, "")}`;
}

/** Null when the check was named by nobody, or otherwise. */
export function pullRequestOfCheck(externalId: string): number | null {
  const number = NAME.exec(externalId)?.[1];
  return number === undefined ? null : Number(number);
}
