import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { commandsIn } from "../../test/support/action/run-action.ts";
import { withoutCommands, workflowCommand } from "./workflow-command.ts";

const pieces = fc.constantFrom(
  "::",
  "\n",
  "\r",
  " ",
  "##[",
  "set-output name=a",
  "::error::",
  "]",
  "%0A",
  "x",
  ":",
);
const hostile = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));

test("workflow commands: text without commands has none, and is otherwise the same", () => {
  fc.assert(fc.property(hostile, (text) => assert.deepEqual(commandsIn(withoutCommands(text)), [])));
  assert.equal(withoutCommands("std::string a::b [x] # y"), "std::string a::b [x] # y");
});

test("workflow commands: a message and a property are one command", () => {
  fc.assert(
    fc.property(hostile, hostile, (title, message) => {
      const line = workflowCommand("notice", { title }, message);
      assert.deepEqual(commandsIn(line), ["notice"]);
      assert.equal(/^::notice title=([^:,]*)::/.exec(line) === null, false);
    }),
  );
});
