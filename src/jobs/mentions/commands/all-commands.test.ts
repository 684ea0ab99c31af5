import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { MentionCommand, CommandKind } from "../command.ts";
import { parseMentions } from "../parse-mention.ts";
import { ALL_COMMANDS } from "./all-commands.ts";

const REVIEW = { kind: "review", isFull: false } as const;
const FULL_REVIEW = { kind: "review", isFull: true } as const;
const EXPLAIN = { kind: "explain", finding: null, question: "" } as const;
const FIX = { kind: "fix", findings: "thread", instruction: "", isHere: false } as const;
const CHANGE = { kind: "change", instruction: "rename it", isHere: false } as const;
const DISMISS = { kind: "dismiss", finding: null, reason: "" } as const;
const WAIVE = { kind: "waive", finding: null, reason: "" } as const;
const RESOLVE = { kind: "resolve", finding: null } as const;
const CONFIGURATION = { kind: "configuration" } as const;

const ask = (question: string): MentionCommand => ({ kind: "ask", question });
const plan = (instruction: string): MentionCommand => ({ kind: "plan", instruction });
const learn = (text: string): MentionCommand => ({ kind: "learn", text });
const unknown = (word: string): MentionCommand => ({ kind: "unknown", word });

/** The words after the app's name. */
const GRAMMAR: Readonly<Record<string, readonly (readonly [words: string, command: MentionCommand])[]>> = {
  review: [
    ["review", REVIEW],
    ["review this again", REVIEW],
    ["review?", REVIEW],
    ["review in full", FULL_REVIEW],
    ["review full", FULL_REVIEW],
    ["review everything again, please", FULL_REVIEW],
    ["re-review", REVIEW],
    ["please rereview this", REVIEW],
    ["full re-review", FULL_REVIEW],
    ["can you review this again?", REVIEW],
    ["could you please take another look?", REVIEW],
    ["try again.", REVIEW],
    ["run a code review", REVIEW],
    ["review the error handling", REVIEW],
    ["review looks good, but why?", ask("review looks good, but why?")],
    ["review comments are outdated here", ask("review comments are outdated here")],
    ["take a look at the parser", ask("take a look at the parser")],
    ["review\u2028please", REVIEW],
    ["full review", FULL_REVIEW],
    ["please do a full review", FULL_REVIEW],
    ["Full  Review, please", FULL_REVIEW],
    ["do a review", REVIEW],
    ["reviewers are slow", ask("reviewers are slow")],
    ["previews are broken", ask("previews are broken")],
    ["review-bot is slow", ask("review-bot is slow")],
    ["is this review right?", ask("is this review right?")],
    ["do not review", ask("do not review")],
    ["don't review", ask("don't review")],
    ["full", unknown("full")],
    ["reviewing", unknown("reviewing")],
    ["reveiw", unknown("review")],
    ["review\u0301", unknown("review")],
    ["review\u200b", unknown("review")],
  ],
  summary: [
    ["summary", { kind: "summary" }],
    ["summarize this, please", { kind: "summary" }],
    ["please summarise", { kind: "summary" }],
    ["summary?", { kind: "summary" }],
    ["summary is wrong here", ask("summary is wrong here")],
    ["sumary", unknown("summary")],
  ],
  explain: [
    ["explain", EXPLAIN],
    ["explain this", EXPLAIN],
    ["explain 3", { ...EXPLAIN, finding: 3 }],
    ["explain #12, please", { ...EXPLAIN, finding: 12 }],
    ["explain why it matters", { ...EXPLAIN, question: "why it matters" }],
    ["explain 3: is it real?\nI doubt it.", { ...EXPLAIN, finding: 3, question: "is it real?\nI doubt it." }],
    ["explain 3rd parties", { ...EXPLAIN, question: "3rd parties" }],
    ["explain 0", { ...EXPLAIN, question: "0" }],
    ["explain 1234567", { ...EXPLAIN, question: "1234567" }],
    ["explained well enough", ask("explained well enough")],
  ],
  plan: [
    ["plan: use a map", plan("use a map")],
    ["plan use a map", plan("use a map")],
    ["plan:\n- use a map\n- test it", plan("- use a map\n- test it")],
    ["plan: is it worth it?", plan("is it worth it?")],
    ["plan looks good, thanks", ask("plan looks good, thanks")],
    ["planning is fun, right?", ask("planning is fun, right?")],
    ["plan", unknown("plan")],
    ["plan:", unknown("plan")],
  ],
  fix: [
    ["fix", FIX],
    ["fix this, please", FIX],
    ["please fix it!", FIX],
    ["fix here", { ...FIX, isHere: true }],
    ["fix all", { ...FIX, findings: "all" }],
    ["fix all of them please", { ...FIX, findings: "all" }],
    ["fix all the findings", { ...FIX, findings: "all" }],
    ["fix here all", { ...FIX, findings: "all", isHere: true }],
    ["fix all here", { ...FIX, findings: "all", isHere: true }],
    ["fix all\nbut keep the names", { ...FIX, findings: "all", instruction: "but keep the names" }],
    ["fix all the tests", { ...FIX, instruction: "all the tests" }],
    ["fix 3", { ...FIX, findings: 3 }],
    ["fix #3", { ...FIX, findings: 3 }],
    ["fix here 3", { ...FIX, findings: 3, isHere: true }],
    ["fix here: #3", { ...FIX, findings: 3, isHere: true }],
    ["fix 3 here", { ...FIX, findings: 3, isHere: true }],
    ["fix 3 with a map", { ...FIX, findings: 3, instruction: "with a map" }],
    ["fix 3 and 4", { ...FIX, findings: [3, 4] }],
    ["fix 4, #3", { ...FIX, findings: [3, 4] }],
    ["fix 1, 3-5, please", { ...FIX, findings: [1, 3, 4, 5] }],
    ["fix here 1 & 2", { ...FIX, findings: [1, 2], isHere: true }],
    ["fix 1, 2, and 4 here", { ...FIX, findings: [1, 2, 4], isHere: true }],
    ["fix 1 and 2: keep the names", { ...FIX, findings: [1, 2], instruction: "keep the names" }],
    // Numbers that count something, and lists that can't be one, are part of the instruction.
    ["fix 5-3", { ...FIX, instruction: "5-3" }],
    ["fix 1-1000", { ...FIX, instruction: "1-1000" }],
    ["fix 1 and 2-way merges", { ...FIX, instruction: "1 and 2-way merges" }],
    ["fix 3-way merges", { ...FIX, instruction: "3-way merges" }],
    ["fix the reviewer", { ...FIX, instruction: "the reviewer" }],
    ["fix: the loop", { ...FIX, instruction: "the loop" }],
    ["fix here the loop", { ...FIX, instruction: "the loop", isHere: true }],
    // Only directly after "fix", "all" or a number: this doesn't ask for a push to the head branch.
    ["fix the loop here", { ...FIX, instruction: "the loop here" }],
    ["fix hereditary bugs", { ...FIX, instruction: "hereditary bugs" }],
    [
      "fix the loop:\n\n```js\nfor (;;) {}\n```\n> as said",
      { ...FIX, instruction: "the loop:\n\n```js\nfor (;;) {}\n```\n> as said" },
    ],
    ["fix the loop\r\nand the test", { ...FIX, instruction: "the loop\nand the test" }],
  ],
  change: [
    ["change: rename it", CHANGE],
    ["apply: rename it", CHANGE],
    ["please change : rename it", CHANGE],
    ["Apply here: rename it", { ...CHANGE, isHere: true }],
    ["change here:\nrename it", { ...CHANGE, isHere: true }],
    ["apply:rename it", CHANGE],
    ["change: rename it?", { ...CHANGE, instruction: "rename it?" }],
    ["apply: review", { ...CHANGE, instruction: "review" }],
    ["add tests for the parser", { ...CHANGE, instruction: "add tests for the parser" }],
    ["please write unit tests.", { ...CHANGE, instruction: "write unit tests." }],
    ["add tests?", ask("add tests?")],
    ["add tests are missing here", ask("add tests are missing here")],
    ["can you add tests", ask("can you add tests")],
  ],
  "without a clear order, nothing is written": [
    ["can you fix this?", ask("can you fix this?")],
    ["could you please fix all", ask("could you please fix all")],
    ["fix this?", ask("fix this?")],
    ["fix?", ask("fix?")],
    ["fix is wrong", ask("fix is wrong")],
    ["fix doesn’t work here", ask("fix doesn’t work here")],
    ["fixed it, thanks", ask("fixed it, thanks")],
    ["don't fix this", ask("don't fix this")],
    ["never fix", ask("never fix")],
    ["f\u0456x all", unknown("fix all")],
    ["please apply the patch", unknown("apply:")],
    ["apply", unknown("apply:")],
    ["apply:", unknown("apply:")],
    ["apply here rename it", unknown("apply:")],
    ["change it", unknown("change:")],
    ["change here, rename it", unknown("change:")],
    ["change the name: x", unknown("change:")],
    ["changes look good to me", ask("changes look good to me")],
    ["do not apply: x", ask("do not apply: x")],
    ["I would fix it", ask("I would fix it")],
  ],
  dismiss: [
    ["dismiss", DISMISS],
    ["dismiss 3", { ...DISMISS, finding: 3 }],
    ["dismiss 3 won't fix", { ...DISMISS, finding: 3, reason: "won't fix" }],
    ["dismiss #3: is checked above", { ...DISMISS, finding: 3, reason: "is checked above" }],
    ["dismiss - a false positive", { ...DISMISS, reason: "a false positive" }],
    [
      "dismiss can't happen,\nsee `a.ts`\n> above",
      { ...DISMISS, reason: "can't happen,\nsee `a.ts`\n> above" },
    ],
    ["dismiss?", ask("dismiss?")],
    ["dismissed", unknown("dismiss")],
    ["false positive", { ...DISMISS, reason: "false positive" }],
    [
      "this is a false positive: checked above",
      { ...DISMISS, reason: "this is a false positive: checked above" },
    ],
    ["3 is not a bug", { ...DISMISS, finding: 3, reason: "3 is not a bug" }],
    ["not a bug, because the caller checks", { ...DISMISS, reason: "not a bug, because the caller checks" }],
    ["ignore this, please", DISMISS],
    ["ignore #3", { ...DISMISS, finding: 3 }],
    // Nothing is settled by a question, an opinion, or a sentence about something else.
    ["is this a false positive?", ask("is this a false positive?")],
    ["false positive?", ask("false positive?")],
    ["I think this is a false positive", ask("I think this is a false positive")],
    ["false positives are annoying here", ask("false positives are annoying here")],
    ["not a bug fix at all", ask("not a bug fix at all")],
    ["ignore this directory", ask("ignore this directory")],
    ["ignore", unknown("ignore")],
    ["false", unknown("false")],
  ],
  reopen: [
    ["reopen", { kind: "reopen", finding: null }],
    ["re-open this finding, please", { kind: "reopen", finding: null }],
    ["reopen #2.", { kind: "reopen", finding: 2 }],
  ],
  waive: [
    ["waive", WAIVE],
    ["waive 3 we accept it", { ...WAIVE, finding: 3, reason: "we accept it" }],
    ["please waive: will be fixed later", { ...WAIVE, reason: "will be fixed later" }],
    ["waive this?", ask("waive this?")],
  ],
  learn: [
    ["learn: we use tabs", learn("we use tabs")],
    ["Learn : we use tabs\nin Go", learn("we use tabs\nin Go")],
    ["learn we use tabs", learn("we use tabs")],
    ["learn that handlers never throw\nin Go", learn("handlers never throw\nin Go")],
    ["learn: tabs", learn("tabs")],
    ["learn we use tabs?", unknown("learn")],
    ["learn is broken again", unknown("learn")],
    ["learn from this", unknown("learn")],
    ["learn more", unknown("learn")],
    ["learn:", unknown("learn")],
    ["learning is good, right?", ask("learning is good, right?")],
  ],
  forget: [
    ["forget l1", { kind: "forget", learning: 1 }],
    ["please forget L12.", { kind: "forget", learning: 12 }],
    ["forget l1?", ask("forget l1?")],
    ["forget it", ask("forget it")],
    ["forget l0", ask("forget l0")],
    ["forget l1 and l2", ask("forget l1 and l2")],
    ["forget", unknown("forget")],
  ],
  thanks: [
    ["thanks", { kind: "thanks" }],
    ["thank you for the review!", { kind: "thanks" }],
    ["LGTM", { kind: "thanks" }],
    ["nice work", { kind: "thanks" }],
    ["good catch! I pushed it.", { kind: "thanks" }],
    ["👍", { kind: "thanks" }],
    ["ありがとうございます。", { kind: "thanks" }],
    ["got it, will do", { kind: "thanks" }],
    ["thanks, but why?", ask("thanks, but why?")],
    ["LGTM but the tests fail", ask("LGTM but the tests fail")],
    ["thanks. Please check it again", ask("thanks. Please check it again")],
    ["good point about the lock, however it is held", ask("good point about the lock, however it is held")],
  ],
  "pause and resume": [
    ["pause", { kind: "pause" }],
    ["please pause reviews", { kind: "pause" }],
    ["pause?", ask("pause?")],
    ["paused", unknown("pause")],
    ["never pause", ask("never pause")],
    ["resume", { kind: "resume" }],
    ["please resume", { kind: "resume" }],
    ["Resume reviews", { kind: "resume" }],
    ["unpause", { kind: "resume" }],
    ["resumed", unknown("resume")],
    ["don't resume", ask("don't resume")],
  ],
  resolve: [
    ["resolve", RESOLVE],
    ["resolve this", RESOLVE],
    ["resolve 3", { ...RESOLVE, finding: 3 }],
    ["resolve #3, please", { ...RESOLVE, finding: 3 }],
    ["resolve all", RESOLVE],
    ["resolve all your threads", RESOLVE],
    ["resolve the conflict with main", ask("resolve the conflict with main")],
    ["resolve?", ask("resolve?")],
  ],
  "configuration and help": [
    ["configuration", CONFIGURATION],
    ["config", CONFIGURATION],
    ["configuration, please", CONFIGURATION],
    ["config files are broken", ask("config files are broken")],
    ["help", { kind: "help" }],
    ["please help", { kind: "help" }],
    ["help me!", { kind: "help" }],
    ["help?", { kind: "help" }],
    ["help me understand this", ask("help me understand this")],
  ],
  ask: [
    ["ask: why", ask("why")],
    ["ask why", ask("why")],
    ["ask", unknown("ask")],
    ["why?", ask("why?")],
    ["explique isto", ask("explique isto")],
    ["посмотри", ask("посмотри")],
    ["为什么？", ask("为什么？")],
    ["what does this do", ask("what does this do")],
    ["what does this do?\n\nI can't\nread it.", ask("what does this do?\n\nI can't\nread it.")],
    ["\nwhat does this do?", ask("what does this do?")],
    // Commands are on the line of the name.
    ["\nfix all the things", ask("fix all the things")],
    ["\nfix all", ask("fix all")],
    ["task is done now", ask("task is done now")],
  ],
  unknown: [
    ["", unknown("")],
    ["please", unknown("please")],
    ["dance", unknown("dance")],
    ["rebase", unknown("rebase")],
    ["reveiw please", unknown("review")],
    ["???", unknown("???")],
    ["x".repeat(500), unknown("x".repeat(60))],
  ],
};

for (const [group, rows] of Object.entries(GRAMMAR))
  void suite(group, () => {
    for (const [words, command] of rows)
      test(`${JSON.stringify(words)} is ${command.kind}`, () => {
        assert.deepEqual(parseMentions(`@kodiai ${words}`, "kodiai"), [command]);
        assert.deepEqual(parseMentions(`/kodiai ${words}`, "kodiai"), [command]);
      });
  });

test("people with write access alone may change something, and some commands need a pull request", () => {
  const kindsOf = (isWanted: (spec: (typeof ALL_COMMANDS)[CommandKind]) => boolean) =>
    Object.values(ALL_COMMANDS)
      .filter(isWanted)
      .map(({ kind }) => kind);
  assert.deepEqual(
    kindsOf(({ who }) => who === "writer"),
    ["fix", "change", "dismiss", "waive", "reopen", "learn", "forget", "pause", "resume", "resolve"],
  );
  assert.deepEqual(
    kindsOf(({ who }) => who === "contributor"),
    [],
  );
  assert.deepEqual(
    kindsOf(({ where }) => where === "pull-request"),
    ["review", "summary", "explain", "dismiss", "waive", "reopen", "pause", "resume", "resolve"],
  );
});

test("the help lists every command as it is written", () => {
  for (const { kind, usage, help } of Object.values(ALL_COMMANDS)) {
    if (kind === "unknown" || kind === "thanks") {
      assert.equal(usage, null);
      continue;
    }
    assert.ok(usage !== null && help !== "" && !help.endsWith("."), kind);
    const example = usage
      .replaceAll(/\[(?:here|full|NUMBER.*?)\] ?/g, "")
      .replace("lNUMBER", "l1")
      .replaceAll(/\[?[A-Z]+\]?/g, "words");
    assert.equal(parseMentions(`@kodiai ${example}`, "kodiai")[0]?.kind, kind, example);
  }
});
