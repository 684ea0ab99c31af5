/** The message of a commit that Kodiai makes for a person. The same request always gives the same message. Pure. */
import { plainWords } from "./plain-words.ts";

/** Git's own tools show this much of a subject. */
const MAX_SUBJECT_CHARS = 72;

/** The pull request has the whole description. */
const MAX_BODY_CHARS = 1_000;

export type CommitFacts = {
  readonly title: string;
  readonly description: string;
  readonly requestId: string;
  readonly requester: { readonly login: string; readonly id: number | null };
  /** Numbers of the findings that it fixes, on the pull request where it was asked for. */
  readonly fixed: readonly number[];
  /** Keeps the host from running workflows for the commit. */
  readonly skipsCi: boolean;
};

/** Letters of account names, with the suffix of apps. */
const LOGIN = /^[A-Za-z\d][\w-]{0,99}(?:\[bot\])?$/;

const SKIP_CI = "[skip ci]";
const REQUEST = "Kodiai-Request: ";
const FIXES = "Kodiai-Fixes: ";

type Message = { readonly subject: string; readonly body: string };

/** Whether Kodiai made the commit. A person who writes the trailer gains nothing by it. */
export function isOwnCommit({ body }: Pick<Message, "body">): boolean {
  return body.split("\n").some((line) => line.startsWith(REQUEST));
}

/** Whether Kodiai made the commit for this request. */
export function isCommitFor(requestId: string, { body }: Pick<Message, "body">): boolean {
  return body.split("\n").includes(requestLine(requestId));
}

/** No character of it can start another line. */
function requestLine(requestId: string): string {
  return `${REQUEST}${requestId.replaceAll(/[^\w:./-]/g, "-")}`;
}

/** Whether Kodiai marked the commit, because it is on top of commits of a fork. A person who writes the mark only keeps CI from running. */
export function isOfFork({ subject, body }: Message): boolean {
  return subject.endsWith(SKIP_CI) && isOwnCommit({ body });
}

/** The numbers of the findings that a commit of Kodiai's fixes. */
export function fixesOfCommit({ body }: Pick<Message, "body">): readonly number[] {
  const line = isOwnCommit({ body }) ? body.split("\n").find((each) => each.startsWith(FIXES)) : undefined;
  return (line?.slice(FIXES.length).match(/\d{1,6}/g) ?? []).map(Number);
}

export function composeCommitMessage(facts: CommitFacts): string {
  const { title, description, requestId, requester, fixed, skipsCi } = facts;
  const suffix = skipsCi ? ` ${SKIP_CI}` : "";
  const subject = plainWords(title, MAX_SUBJECT_CHARS - suffix.length) || "Edit files";
  const body = plainWords(description, MAX_BODY_CHARS);
  const { login, id } = requester;
  const trailers = [
    requestLine(requestId),
    ...(fixed.length === 0 ? [] : [`${FIXES}${fixed.join(", ")}`]),
    ...(id === null || !LOGIN.test(login)
      ? []
      : [`Co-authored-by: ${login} <${id}+${login}@users.noreply.github.com>`]),
  ];
  return [`${subject}${suffix}`, ...(body === "" ? [] : [body]), trailers.join("\n")].join("\n\n");
}
