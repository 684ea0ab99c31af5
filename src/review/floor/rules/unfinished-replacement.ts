/** An edit that replaces the same name on many lines alike, and one line of the same form that still has the old name. */
import { walkHunk } from "../../change/walk-hunks.ts";
import { type ChangeRule, type FileView, nameOr, type RuleMatch } from "../rule.ts";

/** Fewer lines alike don't show that an edit is mechanical. */
const MIN_ALIKE = 5;

type Pair = { readonly line: number; readonly from: string; readonly to: string; readonly shape: string };

/** A shorter line, such as `return x;`, looks like many others. */
const MIN_TOKENS = 5;

/** Code in words, and single other characters. Texts in quotes count as one. */
function tokensOf(text: string): readonly string[] {
  return (
    text
      .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '""')
      .trim()
      .match(/[A-Za-z_$][\w$]*|\d+|\S/g) ?? []
  );
}

/** The line without its own names and texts, so that lines of the same form are equal. */
function shapeOf(text: string, replaced: string): string {
  return tokensOf(text)
    .map((token) =>
      token === replaced ? "*" : /^[A-Za-z_$]/.test(token) ? "n" : /^\d/.test(token) ? "0" : token,
    )
    .join(" ");
}

/** The one name that differs between a removed line and the added line in its place. */
function pairOf(removed: string, added: string, line: number): Pair | null {
  const [old, now] = [tokensOf(removed), tokensOf(added)];
  if (old.length !== now.length || old.length < MIN_TOKENS) return null;
  const different = old.flatMap((token, index) => (token === now[index] ? [] : [index]));
  const [only] = different;
  if (only === undefined || new Set(different.map((index) => `${old[index]}>${now[index]}`)).size !== 1)
    return null;
  const [from = "", to = ""] = [old[only], now[only]];
  return /^[A-Za-z_$]\w{2}/.test(from) && /^[A-Za-z_$]\w{2}/.test(to)
    ? { line, from, to, shape: shapeOf(added, to) }
    : null;
}

type Read = {
  readonly pairs: readonly Pair[];
  readonly rest: readonly { readonly line: number; readonly text: string }[];
};

/** Lines replaced one by one, and the lines around them that stay. */
function readFile({ file }: FileView): Read {
  const pairs: Pair[] = [];
  const rest: { line: number; text: string }[] = [];
  for (const hunk of file.hunks) {
    let removed: string[] = [];
    let added: { line: number; text: string }[] = [];
    const close = (): void => {
      if (removed.length === added.length)
        for (const [index, { line, text }] of added.entries()) {
          const pair = pairOf(removed[index] ?? "", text, line);
          if (pair !== null) pairs.push(pair);
        }
      removed = [];
      added = [];
    };
    for (const { kind, text, newLine } of walkHunk(hunk)) {
      if (kind === "removed") {
        if (added.length > 0) close();
        removed.push(text);
      } else if (kind === "added") added.push({ line: newLine ?? 0, text });
      else {
        close();
        rest.push({ line: newLine ?? 0, text });
      }
    }
    close();
  }
  return { pairs, rest };
}

export const unfinishedReplacement: ChangeRule = {
  kind: "change",
  id: "unfinished-replacement",
  title: "One line of a replacement was missed",
  severity: "medium",
  category: "correctness",
  why: "The change replaces the same name on every other line of this form.",
  fix: "Replace it here too, or say why this line stays.",
  confidence: 0.8,
  *check(view): Iterable<RuleMatch & { readonly path: string }> {
    for (const file of view.files) {
      if (file.category !== "source") continue;
      const { pairs, rest } = readFile(file);
      for (const alike of Map.groupBy(pairs, ({ from, to, shape }) => `${from}>${to} ${shape}`).values()) {
        const [{ from, to, shape } = { from: "", to: "", shape: "" }] = alike;
        if (alike.length < MIN_ALIKE) continue;
        const missed = rest.filter(
          ({ text }) => tokensOf(text).includes(from) && shapeOf(text, from) === shape,
        );
        const [only] = missed;
        // Two or more lines that stay are a choice, and so is a line that gets a third name.
        if (only === undefined || missed.length !== 1) continue;
        if (pairs.some((pair) => pair.from === from && pair.to !== to && pair.shape === shape)) continue;
        yield {
          path: file.path,
          line: only.line,
          title: `${nameOr(from, "A name")} stays here, and becomes ${nameOr(to, "another name")} on ${alike.length} other lines`,
        };
      }
    }
  },
  examples: {
    bad: [
      {
        line: 4,
        files: [
          {
            path: "src/a.ts",
            before:
              "a(oldClock, 1);\nb(oldClock, 2);\nc(oldClock, 3);\nd(oldClock, 4);\ne(oldClock, 5);\nf(oldClock, 6);\n",
            after:
              "a(newClock, 1);\nb(newClock, 2);\nc(newClock, 3);\nd(oldClock, 4);\ne(newClock, 5);\nf(newClock, 6);\n",
          },
        ],
      },
      {
        line: 3,
        files: [
          {
            path: "src/b.py",
            before:
              "a(oldClock, 1)\nb(oldClock, 2)\nc(oldClock, 3)\nd(oldClock, 4)\ne(oldClock, 5)\nf(oldClock, 6)\n",
            after:
              "a(newClock, 1)\nb(newClock, 2)\nc(oldClock, 3)\nd(newClock, 4)\ne(newClock, 5)\nf(newClock, 6)\n",
          },
        ],
      },
    ],
    good: [
      {
        files: [
          {
            path: "src/log.c",
            before:
              "log(LEVEL_ERROR, 1);\nlog(LEVEL_ERROR, 2);\nlog(LEVEL_ERROR, 3);\nlog(LEVEL_ERROR, 4);\nlog(LEVEL_ERROR, 5);\nlog(LEVEL_ERROR, 6);\n",
            after:
              "log(LEVEL_INFO, 1);\nlog(LEVEL_INFO, 2);\nlog(LEVEL_ALERT, 3);\nlog(LEVEL_INFO, 4);\nlog(LEVEL_INFO, 5);\nlog(LEVEL_INFO, 6);\n",
          },
        ],
      },
      {
        files: [
          {
            path: "src/a.ts",
            before: "a(oldClock, 1);\nb(oldClock, 2);\nc(oldClock, 3);\nd(oldClock, 4);\ne(oldClock, 5);\n",
            after: "a(newClock, 1);\nb(newClock, 2);\nc(newClock, 3);\nd(newClock, 4);\ne(newClock, 5);\n",
          },
        ],
      },
      {
        files: [
          {
            path: "src/a.ts",
            before:
              "a(oldClock, 1);\nb(oldClock, 2);\nc(oldClock, 3);\nd(oldClock, 4);\ne(oldClock, 5);\nreturn oldClock;\n",
            after:
              "a(newClock, 1);\nb(newClock, 2);\nc(newClock, 3);\nd(newClock, 4);\ne(newClock, 5);\nreturn oldClock;\n",
          },
        ],
      },
      {
        files: [
          {
            path: "src/a.ts",
            before: "a(oldClock, 1);\nb(oldClock, 2);\nc(oldClock, 3);\n",
            after: "a(newClock, 1);\nb(newClock, 2);\nc(oldClock, 3);\n",
          },
        ],
      },
    ],
  },
};
