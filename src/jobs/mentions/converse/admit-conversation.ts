/** Decides with the host and the limits whether a command runs, and with which models. Access is checked again: it may be gone since the comment. */
import type { Person } from "../../../forge/forge.ts";
import type { Degradations } from "../../gathering/optional.ts";
import type { GatheredConfig } from "../../gathering/gather-config.ts";
import { pullRequestModels } from "../../reading/pull-request-models.ts";
import { requesterClassOf, type RequestSubject } from "../../run/requester-class.ts";
import type { RequesterClass } from "../../spending/request-limits.ts";
import { refuseByRights } from "../immediate/refuse.ts";
import type { RowStore } from "../../job-store.ts";
import type { Reply } from "../reply.ts";
import type { MentionAttempt } from "../run-mention.ts";
import type { ConversationCommand } from "./all-conversations.ts";
import type { ConversationSubject } from "./conversation.ts";
import type { ConverseDeps } from "./converse-deps.ts";
import { type CountedModels, countedModels } from "./counted-models.ts";
import { permitConversation } from "./permit-conversation.ts";

export type ConversationToAdmit = {
  readonly attempt: MentionAttempt;
  readonly command: ConversationCommand;
  readonly subject: ConversationSubject;
  readonly config: GatheredConfig;
  readonly run: { readonly id: number };
};

export type Admission =
  | { readonly kind: "refused"; readonly reply: Reply }
  | { readonly kind: "admitted"; readonly counted: CountedModels };

export async function admitConversation(
  { attempt, command, subject: asked, config, run }: ConversationToAdmit,
  { store, models }: Pick<ConverseDeps, "store" | "models">,
): Promise<Admission> {
  const { mention, record, session, context } = attempt;
  const { database, now } = store;
  const { login } = mention.requester;
  const { values } = config.tree.root;
  const subject = requestSubjectOf(asked);
  const requesterClass = await classOf(attempt, subject, store);
  const isOutsider = requesterClass !== "writer";
  // They may have lost their access since the comment.
  if (isOutsider) session.limitWrites();
  const found = requesterClass === "stranger" ? "anyone" : requesterClass;
  const refused = refuseByRights({ mention, subject: asked, config }, found);
  if (refused?.kind === "reply") return { kind: "refused", reply: refused.reply };
  const modelsFor = (isGranted: boolean): CountedModels => {
    const permit = { isGranted, login, isOutsider };
    const access = pullRequestModels({ pullRequest: subject, run, permit }, { models, database, now });
    return countedModels(access, command.kind);
  };
  const counted = modelsFor(true);
  const hasModel = (await counted.models.choice.choose(values)).models.length > 0;
  // Committing verified suggestions needs no model and has no limit: people with write access could commit them by hand.
  const isFree = command.kind === "fix";
  if (isFree && !hasModel) return { kind: "admitted", counted };
  const reply = await permitConversation(
    { record, login, subject, requesterClass, run, jobId: context.job.id, config: values, hasModel },
    models.settings.limits,
    store,
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
  { mention, session: { people } }: MentionAttempt,
  subject: RequestSubject,
  { database, now }: RowStore,
): Promise<RequesterClass> {
  const hasWriteAccess = (person: Person): Promise<boolean> => people.hasWriteAccess(person.login);
  const deps = { people, database, now, degradations: STRICT, hasWriteAccess };
  return requesterClassOf(mention.requester, subject, deps);
}
