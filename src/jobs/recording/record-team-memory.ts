/** Records what a review asks the team's memory, and answers the same questions again without a store. */
import { untilAborted } from "../../base/until-aborted.ts";
import type { Recall, TeamFeedback, TeamMemory } from "../gathering/team-memory.ts";
import { addAnswer, createAnswers, watchAnswer } from "./recorded-answers.ts";
import type { RecordedMemory } from "./recording.ts";

/** `recorded` grows with every question. */
export function recordTeamMemory(real: TeamMemory): {
  readonly recorded: RecordedMemory;
  readonly memory: TeamMemory;
} {
  const recorded: RecordedMemory = { recalls: [], learnings: [], feedback: [] };
  return {
    recorded,
    memory: {
      // An answer that never comes is recorded as the end of the wait for it.
      recall: (request, signal) =>
        watchAnswer(untilAborted(real.recall(request, signal), signal), (answer) => {
          addAnswer(recorded.recalls, answer);
        }),
      readLearnings: () =>
        watchAnswer(real.readLearnings(), (answer) => {
          addAnswer(recorded.learnings, answer);
        }),
      readFeedback: () =>
        watchAnswer(real.readFeedback(), (answer) => {
          addAnswer(recorded.feedback, answer);
        }),
    },
  };
}

/** A question that wasn't asked before has an empty answer. */
export function replayTeamMemory({ recalls, learnings, feedback }: RecordedMemory): TeamMemory {
  const [recallAgain, learningsAgain, feedbackAgain] = [
    createAnswers(recalls),
    createAnswers(learnings),
    createAnswers(feedback),
  ];
  return {
    recall: async () => recallAgain() ?? NOTHING_RECALLED,
    readLearnings: async () => learningsAgain() ?? [],
    readFeedback: async () => feedbackAgain() ?? NO_FEEDBACK,
  };
}

const NO_FEEDBACK: TeamFeedback = { feedback: [], suppressions: [], explained: [], repeated: [] };

const NOTHING_RECALLED: Recall = {
  memories: [],
  candidates: 0,
  threshold: 0,
  embeddings: "",
  isWordsOnly: false,
  problems: [],
};
