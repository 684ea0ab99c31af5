/** Decides with the host and the limits whether a command runs, and with which models. Access is checked again: it may be gone since the comment. */
import type { Person } from "../../../forge/forge.ts";
import type { Degradations } from "../../gathering/optional.ts";
import type { GatheredConfig } from "../../gathering/gather-config.ts";
import { pullRequestModels } from "../../reading/pull-request-models.ts";
import { requesterClassOf, type RequestSubject } from "../../run/requester-class.ts";
import type { RequesterClass } from "../../spending/request-limits.ts";
import { refuseByRights } from "../immediate/refuse.ts";
import type { Reply } from "../reply.ts";
import type { ConversationCommand } from "./all-conversations.ts";
import type { ConversationSubject } from "./conversation.ts";
import type { ConverseStepDeps, MentionToAnswer } from "./converse-deps.ts";
import { type CountedModels, countedModels } from "./counted-models.ts";
import { permitConversation } from "./permit-conversation.ts";

export type ConversationToAdmit = MentionToAnswer & {
  readonly command: ConversationCommand;
  readonly subject: ConversationSubject;
  readonly config: GatheredConfig;
  readonly run: { readonly id: number };
};

export type Admission =
  | { readonly kind: "refused"; readonly reply: Reply }
  | { readonly kind: "admitted"; readonly counted: CountedModels };

export async function admitConversation(
  asked: ConversationToAdmit,
  deps: ConverseStepDeps,
): Promise<Admission> {
  const { mention, row, run, command, config } = asked;
  const { session, context } = deps;
  const { values } = config.tree.root;
  const subject = requestSubjectOf(asked.subject);
  const requesterClass = await classOf(asked, subject, deps);
  const isOutsider = requesterClass !== "writer";
  // They may have lost their access since the comment.
  if (isOutsider) session.limitWrites();
  const found = requesterClass === "stranger" ? "anyone" : requesterClass;
  const refused = refuseByRights({ ...asked, session, isWriter: found === "writer" }, found);
  if (refused?.kind === "reply") return { kind: "refused", reply: refused.reply };
  const modelsFor = (isGranted: boolean): CountedModels => {
    const permit = { isGranted, login: mention.requester.login, isOutsider };
    return countedModels(pullRequestModels({ pullRequest: subject, run, permit }, deps), command.kind);
  };
  const counted = modelsFor(true);
  const hasModel = (await counted.models.choice.choose(values)).models.length > 0;
  // Committing verified suggestions needs no model and has no limit: people with write access could commit them by hand.
  const isFree = command.kind === "fix";
  if (isFree && !hasModel) return { kind: "admitted", counted };
  const jobId = context.job.id;
  const reply = await permitConversation(
    { mention: row, subject, requesterClass, run, jobId, config: values, hasModel },
    deps,
  );
  if (reply === null) return { kind: "admitted", counted };
  return isFree ? { kind: "admitted", counted: modelsFor(false) } : { kind: "refused", reply };
}

function requestSubjectOf(subject: ConversationSubject): RequestSubject {
  if (subject.kind === "pull-request") return subject.pullRequest;
  return { ...subject.issue, association: null };
}

/** A failed lookup fails the job, which is retried: no one is refused because GitHub was unavailable. */
const STRICT: Pick<Degradations, "optional"> = { optional: (_what, step) => step() };

function classOf(
  { mention }: ConversationToAdmit,
  subject: RequestSubject,
  { session, database, now }: ConverseStepDeps,
): Promise<RequesterClass> {
  const hasWriteAccess = (person: Person): Promise<boolean> => session.hasWriteAccess(person.login);
  const deps = { session, database, now, degradations: STRICT, hasWriteAccess };
  return requesterClassOf(mention.requester, subject, deps);
}
