import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import type { MentionCommand } from "./command.ts";
import { parseMentions } from "./parse-mention.ts";

/** The first command; null for none. */
function parseMention(body: string, slug: string): MentionCommand | null {
  return parseMentions(body, slug)[0] ?? null;
}

/** All of them address Kodiai with `review`, so that a mention that fires is recognized by its kind. */
const FIRES: Readonly<Record<string, readonly string[]>> = {
  "by name": [
    "@kodiai review",
    "/kodiai review",
    "@KODIAI Review",
    "/Kodiai REVIEW",
    "@kodiai[bot] review",
    "@Kodiai[Bot] review",
    "@kodiai, review this again",
    "@kodiai: review",
    "@kodiai:review",
    "@kodiai! review",
    "@kodiai please review",
    "@kodiai, please, review",
    "@kodiai\treview",
    // A no-break space, as some keyboards write it, and the space of Chinese and Japanese ones.
    "@kodiai\u00a0review",
    "@kodiai\u3000review",
  ],
  "at the start of a line": [
    "  @kodiai   review  ",
    "   /kodiai review",
    "Thanks!\r\n\r\n@kodiai review\r\n",
    "Thanks!\r@kodiai review",
    "Some text on the line above.\n@kodiai review",
    "@kodiai review\n\n> @kodiai pause",
    "@kodiai-dev pause\n@kodiai review",
  ],
  "after a greeting": [
    "Hey @kodiai, review",
    "hi @kodiai review",
    "Hello, @kodiai: review",
    "OK @kodiai review",
    "okay, /kodiai review",
    "Thanks! @kodiai review",
    "Thank you. @kodiai review",
    "Thanks @kodiai!\n@kodiai review",
    "please @kodiai review",
    "and @kodiai, review",
  ],
  "after a sentence, another name or an emoji": [
    "CI is green now. @kodiai review",
    "Fixed (see above). @kodiai please re-review",
    "@alice @kodiai review",
    "@other-bot[bot], @kodiai: review",
    "cc @kodiai review",
    "**Reviewer:** @kodiai please review",
    "All done - @kodiai review",
    "👉 @kodiai review",
    "好了。@kodiai review",
  ],
  "in bold, italics and parentheses": [
    "**@kodiai** review",
    "**@kodiai review**",
    "_@kodiai_ review",
    "***@kodiai***, review",
    "(@kodiai review)",
  ],
  "in a list": [
    "- @kodiai review",
    "* @kodiai review",
    "+ @kodiai review",
    "1. @kodiai review",
    "12) @kodiai review",
    "- [ ] @kodiai review",
    "- - @kodiai review",
    "- item\n  @kodiai review",
    "- item\n\n  @kodiai review",
    "-\n  @kodiai review",
    "1. item\n\n   @kodiai review",
    "- Done. @kodiai review",
  ],
  "after a quote": [
    "> an earlier comment\n\n@kodiai review",
    "> `open\n\n@kodiai review",
    "> ```\n\n@kodiai review",
    "> <!--\n\n@kodiai review",
    // These end a quote without a blank line.
    "> quote\n---\n@kodiai review",
    "> quote\n```\ncode\n```\n@kodiai review",
    "> quote\n# Heading\n@kodiai review",
  ],
  "after code": [
    "```\ncode\n```\n@kodiai review",
    "~~~ts\ncode\n~~~~  \n@kodiai review",
    "```one line of code```\n@kodiai review",
    "````\n```\n````\n@kodiai review",
    "```\n~~~\n```\n@kodiai review",
    "   ```\ncode\n ```\n@kodiai review",
    "    ```\n\n@kodiai review",
    "text\n    ```\n@kodiai review",
    "`code`\n@kodiai review",
    "`code` and ``more ` code``\n@kodiai review",
    // Nothing closes these backticks, or something else is in between.
    "a ` stray backtick\n@kodiai review",
    "`` unequal `\n@kodiai review",
    "`open\n\n@kodiai review `",
    "# Heading with `\n@kodiai review `",
    "Heading `\n===\n@kodiai review `",
    "`open\n- item `\n@kodiai review",
    "\\`not code\n@kodiai review\n`",
  ],
  "after a list": [
    "- item\n\n@kodiai review",
    "- item\n@kodiai review",
    "1. item\n   ```\n   code\n   ```\n\n@kodiai review",
    "- ```\n  code\n  ```\n@kodiai review",
    // The code ends with its list item.
    "- ```\n  code\n\n@kodiai review",
    "- - -\n  @kodiai review",
    "-\n\n  @kodiai review",
    "-no list\n  @kodiai review",
    "2026. was a year\n  @kodiai review",
    "text\n2. no list\n   @kodiai review",
  ],
  "after HTML": [
    "<!-- hidden -->\n@kodiai review",
    "<!-- hidden\nstill hidden -->\n@kodiai review",
    "<!-->\n@kodiai review",
    "text <!-- hidden --> text\n@kodiai review",
    "<pre>\ncode\n</pre>\n@kodiai review",
    "<details>\n<summary>More</summary>\n\n@kodiai review\n\n</details>",
    "`<!--`\n@kodiai review",
    "`<pre>` and `<code>`\n@kodiai review",
    "```\n<!--\n```\n@kodiai review",
    "<preview>\n@kodiai review",
    "a < b, c <codec\n@kodiai review",
    "\\<!-- shown\n@kodiai review",
    "text <code>x</code> text\n@kodiai review",
  ],
};

const DOES_NOT_FIRE: Readonly<Record<string, readonly string[]>> = {
  "not addressed to Kodiai": [
    "",
    "   ",
    "review",
    "kodiai review",
    "@ kodiai review",
    "@other review",
    "see /kodiai review",
    "| @kodiai | review |",
    "cc @kodiai",
    "@alice as @kodiai said, it leaks",
    "[@kodiai](https://example.org) review",
    String.raw`\@kodiai review`,
    "# @kodiai review",
    "| @kodiai review |",
    '"@kodiai review"',
    "'@kodiai review'",
  ],
  "greetings without more": ["OK @kodiai", "Hi @kodiai!", "Hello @kodiai\n\n"],
  "another name, an address or a path": [
    "@kodiai-dev review",
    "@kodiai_dev review",
    "@kodiaix review",
    "@kodiai2 review",
    "@kodiai.com review",
    "@kodiai/team review",
    "@kodiai@example.org review",
    "@kodiai's review",
    "@kodiai[bot]s review",
    "@@kodiai review",
    "/kodiai-dev review",
    "/kodiaireview",
    "/kodiai/src review",
    "/kodiai.ts review",
    "//kodiai review",
    "./kodiai review",
    "../kodiai review",
    "src/kodiai review",
    "~/kodiai review",
    "mail@kodiai review",
    "https://example.org/kodiai review",
    "https://example.org/@kodiai review",
  ],
  "letters that look alike": [
    "@k\u043ediai review", // Cyrillic o
    "@kodi\u0430i review", // Cyrillic a
    "@\u212aodiai review", // the sign for kelvin, whose lower case is k
    "@kod\u0131ai review", // i without a dot, whose upper case is I
    "@kod\u0130ai review",
    "\uff20kodiai review", // full-width @
    "\uff0fkodiai review", // full-width slash
    "\u2044kodiai review", // fraction slash
    "@\uff4b\uff4f\uff44\uff49\uff41\uff49 review",
    "@kod\u{1d5c2}ai review", // mathematical i
    "\ufe6bkodiai review", // small @
  ],
  "invisible characters": [
    "\u200b@kodiai review",
    "\ufeff@kodiai review",
    "\u2060@kodiai review",
    "@\u200bkodiai review",
    "@kod\u200diai review",
    "@kodiai\u200b review",
    "@kodiai\ufeff review",
    "@kodiai\u00ad review",
    "@kodiai\ufe0f review",
    "\u202e@kodiai review",
    "\u200f@kodiai review",
    "@kodiai\u202c review",
    "@kodiai\u2066 review\u2069",
    "@kodiai\u0301 review",
    "@\u0301kodiai review",
    "@kodiai\u20e3 review",
    "@kodiai\0 review",
    "\u00a0@kodiai review",
    "\u000b@kodiai review",
  ],
  quotes: [
    "> @kodiai review",
    ">@kodiai review",
    "   > @kodiai review",
    "> > @kodiai review\n> /kodiai review",
    ">>> @kodiai review",
    "> > nested\n> @kodiai review",
    "> [!NOTE]\n> @kodiai review",
    "- > @kodiai review",
    "1. > - > @kodiai review",
    // Lines directly below a quote continue it.
    "> quote\n@kodiai review",
    "> quote\nmore of it\n@kodiai review",
    "> > quote\n@kodiai review",
    "> quote\n   @kodiai review",
    "- > quote\n@kodiai review",
    "text\n> quote\n@kodiai review",
    "> quote\r\n@kodiai review",
    "> quote\n===\n@kodiai review",
    "> quote\r@kodiai review",
    "> ```\n@kodiai review",
  ],
  "code spans": [
    "`@kodiai review`",
    "`/kodiai resume` continues",
    "`/kodiai review` asks for a review",
    "``@kodiai review``",
    "```@kodiai review```",
    "`\n@kodiai review\n`",
    "text ``\n@kodiai review\n`` text",
    "text ``` a\n@kodiai review\nb ```",
    "`a` `b\n@kodiai review`",
    "``a ` b\n@kodiai review``",
    "a `` b ` c\n@kodiai review\nd ` e",
    // A backslash escapes nothing in code.
    "`a\\` `b\n@kodiai review\n`",
    "`".repeat(90) + " a\n@kodiai review\nb " + "`".repeat(90),
    "- `open in a list\n@kodiai review `",
    "- `open in a list\n===\n@kodiai review `",
    "text <code>x</code> `\n@kodiai review\n`",
  ],
  "code blocks": [
    "    @kodiai review",
    "\t@kodiai review",
    " \t@kodiai review",
    "text\n    @kodiai review",
    "```\n@kodiai review\n```",
    "```sh\n/kodiai review\n```",
    "``` sh title=`\n```\n@kodiai review",
    "  ~~~\n@kodiai review\n  ~~~",
    "~~~ `info` ~~~\n@kodiai review\n~~~",
    "````\n```\n@kodiai review\n```\n````",
    "```\n```js\n@kodiai review\n```",
    "~~~\n```\n@kodiai review\n~~~",
    "```\n    ```\n@kodiai review\n```",
    "```\n@kodiai review, and never closed",
    "```\n\n\n@kodiai review",
    "```\n> ```\n@kodiai review\n```",
    "text\n```\n@kodiai review\n```",
    "> quote\n```\n\n@kodiai review\n```",
    "```\r\n@kodiai review\r\n```",
    "text\r```\r@kodiai review\r```",
  ],
  "code in lists": [
    "- ```\n  @kodiai review\n  ```",
    "1. ~~~\n   @kodiai review\n   ~~~",
    "- item\n  ```\n  code\n\n  @kodiai review",
    "- item\n-\n  ```\n  @kodiai review",
    "- `@kodiai review`",
    "- item\n\n      @kodiai review",
    // The list item ends before the second fence, which opens another block.
    "- ```\n  code\n```\n@kodiai review\n```",
  ],
  HTML: [
    "<!-- @kodiai review -->",
    "<!--\n@kodiai review\n-->",
    "<!--\n\n@kodiai review\n\n-->",
    "<!-- never closed\n\n@kodiai review",
    "   <!--\n@kodiai review",
    "text <!-- hidden\n@kodiai review\n-->",
    "text <!-- hidden\n\n@kodiai review",
    "`a\n<!-- ` -->\n<!--\n@kodiai review",
    "<pre>\n@kodiai review\n</pre>",
    "<PRE class=x>\n\n@kodiai review\n</PRE>",
    "<pre\n>\n@kodiai review",
    "text <pre>\n@kodiai review\n</pre>",
    "<code>\n@kodiai review\n</code>",
    "text <code>\n\n@kodiai review",
    "<pre><code>\n@kodiai review\n</code></pre>",
    "<script>\n@kodiai review\n</script>",
    "<style>\n@kodiai review\n</style>",
    "<textarea>\n@kodiai review\n</textarea>",
    "<![CDATA[\n@kodiai review\n]]>",
    "<?php\n@kodiai review\n?>",
    "<!DOCTYPE\n@kodiai review\n>",
    "<!-- a -->\n<!-- b\n@kodiai review\n-->",
  ],
};

for (const [group, bodies] of Object.entries(FIRES))
  void suite(`fires ${group}`, () => {
    for (const body of bodies)
      test(JSON.stringify(body), () =>
        assert.deepEqual(parseMention(body, "kodiai"), { kind: "review", isFull: false }),
      );
  });

for (const [group, bodies] of Object.entries(DOES_NOT_FIRE))
  void suite(`doesn't fire: ${group}`, () => {
    for (const body of bodies)
      test(JSON.stringify(body), () => assert.equal(parseMention(body, "kodiai"), null));
  });

const ALL_FIRING = Object.values(FIRES).flat();

test("@slug, @slug[bot] and /kodiai are the same at the start of a line", () => {
  for (const body of [...ALL_FIRING, ...Object.values(DOES_NOT_FIRE).flat()]) {
    // Only in one notation each, because the others mean something else there.
    if (
      /kodiai(?:\[|[^\s,:!\r\n])|[^\s]\/kodiai|\/\/|@@/i.test(body) ||
      /[^\s>~`].*@kodiai|see \/kodiai/.test(body)
    )
      continue;
    const spelled = ["@kodiai", "@kodiai[bot]", "/kodiai"].map((name) =>
      parseMention(body.replaceAll(/[@/]kodiai(?!\[)/gi, name), "kodiai"),
    );
    assert.deepEqual(spelled[1], spelled[0], body);
    assert.deepEqual(spelled[2], spelled[0], body);
  }
});

/** Comments with several commands, and those that only mention the app. */
const READ: readonly (readonly [body: string, commands: readonly Partial<MentionCommand>[]])[] = [
  ["@kodiai review\n@kodiai pause", [{ kind: "review" }, { kind: "pause" }]],
  [
    "@kodiai dismiss 1 no\n\n@kodiai waive 2 later",
    [
      { kind: "dismiss", reason: "no" },
      { kind: "waive", reason: "later" },
    ],
  ],
  [
    "- @kodiai fix 1\n- @kodiai resolve 2",
    [
      { kind: "fix", findings: 1 },
      { kind: "resolve", finding: 2 },
    ],
  ],
  ["@kodiai summary. @kodiai help", [{ kind: "summary" }, { kind: "help" }]],
  ["@kodiai review @kodiai summary", [{ kind: "review" }]],
  ["@kodiai review\n@kodiai review", [{ kind: "review" }]],
  ["@kodiai why?\n@kodiai and when?", [{ kind: "ask", question: "why?\n\nwhen?" }]],
  ["@kodiai review\n@kodiai why is that?", [{ kind: "review" }, { kind: "ask" }]],
  ["@kodiai review\n@kodiai thanks", [{ kind: "review" }]],
  [
    Array.from({ length: 9 }, (_, index) => `@kodiai dismiss ${index + 1} no`).join("\n"),
    [1, 2, 3, 4, 5].map((finding) => ({ kind: "dismiss", finding })),
  ],
  // In the middle of a sentence, all of the comment is the question.
  ["I think @kodiai is wrong", [{ kind: "ask", question: "I think @kodiai is wrong" }]],
  ["Let me have @kodiai fix all of it", [{ kind: "ask" }]],
  ["ok what about now @kodiai?", [{ kind: "ask", question: "ok what about now @kodiai?" }]],
  ["Why does it retry?\n\n@kodiai", [{ kind: "ask", question: "Why does it retry?" }]],
  [
    "It retries forever.\n@kodiai is that right?",
    [{ kind: "ask", question: "It retries forever.\n\nis that right?" }],
  ],
  ["looks good, thanks @kodiai", [{ kind: "thanks" }]],
  ["Thanks @kodiai", [{ kind: "thanks" }]],
  ["Thank you @kodiai.\n\nI will merge it now.", [{ kind: "thanks" }]],
  // After a colon, an order may be cited.
  ["The docs say: @kodiai fix all", [{ kind: "ask" }]],
  ["The docs say: @kodiai pause", [{ kind: "ask" }]],
];

for (const [body, commands] of READ)
  test(`reads ${JSON.stringify(body.slice(0, 60))}`, () => {
    const read = parseMentions(body, "kodiai");
    assert.equal(read.length, commands.length, JSON.stringify(read));
    assert.partialDeepStrictEqual(read, commands);
  });

test("in a description, only an address at the start of a sentence counts", () => {
  const read = (body: string) => parseMentions(body, "kodiai", "description").map(({ kind }) => kind);
  assert.deepEqual(read("Adds a retry.\n\n@kodiai is the limit right?"), ["ask"]);
  assert.deepEqual(read("- [ ] I asked @kodiai for a review"), []);
  assert.deepEqual(read("Adds what @kodiai found."), []);
});

test("an app with another name answers to that name and to /kodiai", () => {
  for (const [body, isFiring] of [
    ["@octo-reviewer review", true],
    ["@octo-reviewer[bot] review", true],
    ["/kodiai review", true],
    ["@kodiai review", false],
    ["/octo-reviewer review", false],
    ["@octo review", false],
    ["@octo-reviewer-2 review", false],
    ["@octoxreviewer review", false],
  ] as const)
    assert.equal(parseMention(body, "octo-reviewer") !== null, isFiring, body);
});

test("the app's name is matched literally, not as a pattern", () => {
  assert.equal(parseMention("@aXb review", "a.b"), null);
  assert.notEqual(parseMention("@a.b review", "a.b"), null);
  assert.equal(parseMention("@anything review", ".*"), null);
});

test("an address far down in a comment is ignored", () => {
  assert.notEqual(parseMention(`${"\n".repeat(199)}@kodiai review`, "kodiai"), null);
  assert.equal(parseMention(`${"\n".repeat(200)}@kodiai review`, "kodiai"), null);
  assert.notEqual(parseMention(`${"x".repeat(19_000)}\n@kodiai review`, "kodiai"), null);
  assert.equal(parseMention(`${"x".repeat(20_000)}\n@kodiai review`, "kodiai"), null);
});

test("a comment that cites many addresses gives no command below them", () => {
  const citing = (count: number) => `\`\`\`\n${"@kodiai pause\n".repeat(count)}\`\`\`\n@kodiai review`;
  assert.notEqual(parseMention(citing(19), "kodiai"), null);
  assert.equal(parseMention(citing(20), "kodiai"), null);
});

test("a line that the limit cuts doesn't become another command", () => {
  for (const words of ["-dev review", " fix all the tests of the parser", " reviewers"])
    for (let shown = 0; shown < words.length; shown++) {
      const before = "x".repeat(20_000 - "\n@kodiai".length - shown);
      assert.equal(parseMention(`${before}\n@kodiai${words}`, "kodiai"), null, words.slice(0, shown));
    }
});

test("a long question on one line is cut, not ignored", () => {
  const command = parseMention(`@kodiai ask: ${"why ".repeat(10_000)}`, "kodiai");
  assert.ok(command?.kind === "ask");
  assert.ok(command.question.length > 7_900 && command.question.length <= 8_000);
});

test("a code span that may be closed below the limit counts as code", () => {
  const long = `\`\n@kodiai review\n${"x".repeat(30_000)}`;
  assert.equal(parseMention(long, "kodiai"), null);
  assert.notEqual(parseMention(long.replace("review\n", "review\n\n"), "kodiai"), null);
});

const firing = fc.tuple(fc.constantFrom(...ALL_FIRING), fc.string({ unit: "binary" })).map(([body, more]) => {
  const whole = `${body}\n${more}`;
  assert.notEqual(parseMention(whole, "kodiai"), null, JSON.stringify(whole));
  return whole;
});

test("a comment whose every line is quoted never fires", () => {
  fc.assert(
    fc.property(firing, fc.constantFrom(">", "> ", " >", "   > > ", ">\t"), (body, mark) => {
      const quoted = body.replaceAll(/^/gm, mark);
      assert.equal(parseMention(quoted, "kodiai"), null);
    }),
  );
});

test("a comment in a longer fence never fires", () => {
  fc.assert(
    fc.property(firing, fc.constantFrom("`", "~"), fc.constantFrom("", "js", " ts x"), (body, mark, info) => {
      const longest = Math.max(3, ...[...body.matchAll(/`+|~+/g)].map(([run]) => run.length));
      const fence = mark.repeat(longest + 1);
      assert.equal(parseMention(`${fence}${info}\n${body}\n${fence}`, "kodiai"), null);
      assert.equal(parseMention(`${fence}${info}\n${body}`, "kodiai"), null);
    }),
  );
});

test("any text is parsed without an error", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "@kodiai ",
      "/kodiai ",
      "`",
      "``",
      "```",
      "~~~",
      ">",
      "- ",
      "1. ",
      "<!--",
      "-->",
      "<pre>",
      "</pre>",
    ),
    fc.constantFrom(
      "\n",
      "\r\n",
      "\r",
      " ",
      "    ",
      "\t",
      "\\",
      "fix ",
      "#3",
      "?",
      ":",
      "here",
      "all ",
      "please ",
    ),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const command = parseMention(pieces.join(""), "kodiai");
      assert.ok(command === null || command.kind.length > 0);
    }),
  );
});

/** Each would take minutes or more with matching that takes quadratic time. */
const HOSTILE: readonly (readonly [body: string, kind: string | null])[] = [
  [`@kodiai${" ".repeat(2_000_000)}x\u2028`, "unknown"],
  [`@kodiai ${"please ".repeat(300_000)}`, "ask"],
  [`@kodiai full${" ".repeat(2_000_000)}x`, "unknown"],
  [`@kodiai do a full ${"full ".repeat(300_000)}`, "ask"],
  [`${"~".repeat(2_000_000)}\u2028`, null],
  [`${"`".repeat(2_000_000)}x\``, null],
  [`\`\`\`\n${"`".repeat(2_000_000)}x`, null],
  ["\r".repeat(2_000_000), null],
  ["@kodiai".repeat(300_000), null],
  ["@kodiai\n".repeat(300_000), "ask"],
  ["> @kodiai\n".repeat(300_000), null],
  ["\n".repeat(2_000_000), null],
  ["- ".repeat(1_000_000), null],
  [`${"- ".repeat(9_000)}x\n@kodiai review\n`, "review"],
  [`${"<".repeat(19_000)}\n@kodiai review`, "review"],
  [`${"<codes".repeat(3_000)}\n@kodiai review`, "review"],
  [`${"<code>".repeat(3_000)}\n@kodiai review`, null],
  // Too many backticks to pair.
  [`${"` ".repeat(9_000)}\n@kodiai review`, null],
  [`${"` ".repeat(900)}\n@kodiai review`, "review"],
  [`\`\n${"@kodiai review\n".repeat(100_000)}\``, null],
  ["Hi @kodiai\n".repeat(100_000), "ask"],
  [`${Array.from({ length: 190 }, (_, length) => "`".repeat(length)).join(" ")}\n@kodiai review`, "review"],
];

for (const [index, [body, kind]] of HOSTILE.entries())
  test(`hostile comment ${index + 1} doesn't hang`, () =>
    assert.equal(parseMention(body, "kodiai")?.kind ?? null, kind));
