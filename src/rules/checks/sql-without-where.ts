/** A statement that updates or deletes every row of a table. Tests, migrations, seeds and scripts may do that on purpose. */
import { nameOr, type LineRule } from "../rule.ts";

/** A whole statement in quotes; text after the table may continue it. */
const DELETE_ALL =
  /["'`]\s*DELETE\s+FROM\s+([\w."`[\]]{1,60}?)\s*;?\s*["'`](?!\s*(?:[+.%,]\s*(?:["'`$\w]*WHERE|\w+\s*\+)|\.\s|\\))/i;
const UPDATE_ALL =
  /["'`]\s*UPDATE\s+([\w."`[\]]{1,60}?)\s+SET\s+(?![^"'`]{0,400}\bWHERE\b)[^"'`]{1,400}["'`]\s*[),;]/i;
const RUBY_ALL =
  /^\s*([A-Z]\w{1,60}(?:::[A-Z]\w{1,60})*)\.(?:unscoped\.)?(?:delete_all|destroy_all|update_all\b.{0,120})\s*(?:$|#)/;

/** Places whose job is to clear a table. */
const MEANT =
  /(?:^|\/)(?:tests?|specs?|__tests__|db|migrations?|migrate|seeds?|fixtures?|scripts?|tasks?|bench\w*|examples?|samples?|tools?|dev)\/|seed|fixture|migrat|clean|reset|purge|truncate|cache|temp|\.sql$|\.rake$/i;
const MEANT_LINE =
  /\b(?:temp|tmp|cache|cached|queue|clear|reset|purge|truncate|all_?rows|delete_?all|DeleteAll|deleteAll|removeAll|lock|session)\w*/i;

export const sqlWithoutWhere: LineRule = {
  kind: "line",
  id: "sql-without-where",
  title: "Missing WHERE: the statement changes every row of the table",
  severity: "major",
  category: "correctness",
  why: "Without a condition the statement applies to the rows of all users, not only to the one in question.",
  fix: "Add the condition. If every row is meant, say so in a comment.",
  confidence: 0.8,
  languages: ["javascript", "typescript", "tsx", "python", "go", "java", "csharp", "ruby", "php", "rust"],
  isFor: (file) => !MEANT.test(file.path),
  check({ line, text }, file) {
    if (/^\s*(?:#|\/\/|\*)/.test(text)) return null;
    const deleted =
      DELETE_ALL.exec(text) ??
      (file.language === "ruby" && !text.includes("update_all") ? RUBY_ALL.exec(text) : null);
    const found = deleted ?? UPDATE_ALL.exec(text) ?? (file.language === "ruby" ? RUBY_ALL.exec(text) : null);
    if (found === null || MEANT_LINE.test(found[0].replace(/\.(?:delete|destroy)_all/, ""))) return null;
    const table = found[1]?.replaceAll(/["`[\]]/g, "") ?? "";
    return {
      line,
      title: `Missing WHERE: ${deleted === null ? "UPDATE changes" : "DELETE removes"} every row of ${nameOr(table, "the table")}`,
    };
  },
};
