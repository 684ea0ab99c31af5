/** The findings that people's feedback changed or hid, with the reason and how to undo it, in Markdown. */
import { count } from "../../../base/count.ts";
import { howToForget, TAUGHT_EFFECTS } from "../describe-memory.ts";
import type { Publication, TaughtFinding } from "../publication.ts";
import { pastUrl } from "./links.ts";
import { item } from "./list-item.ts";
import { codeSpan } from "./safe-markdown.ts";

/** More would push out the findings. The details list all that are hidden. */
const MAX_TAUGHT = 10;

export function renderTaught({ memory: { taught } }: Pick<Publication, "memory">): string {
  if (taught.length === 0) return "";
  const rest = taught.length - MAX_TAUGHT;
  return [
    `Feedback of this team changed ${count(taught.length, "finding")}:\n`,
    ...taught.slice(0, MAX_TAUGHT).map(describe),
    ...(rest > 0 ? [`- … and ${rest} more`] : []),
    "",
  ].join("\n");
}

function describe({ title, path, line, effect, reason, undo }: TaughtFinding): string {
  const place = codeSpan(line === null ? path : `${path}:${line}`);
  const back = codeSpan(howToForget(undo));
  return `- ${item(title)} (${place}): ${TAUGHT_EFFECTS[effect]}. Dismissed by ${linkedReason(reason)}. To undo: ${back}`;
}

function linkedReason({ by, words, pullRequest, url }: TaughtFinding["reason"]): string {
  const address = url === null ? null : pastUrl(url);
  const place = address === null ? `#${pullRequest}` : `[#${pullRequest}](${address})`;
  return `${codeSpan(by)} in ${place}${words === "" ? "" : `: "${item(words)}"`}`;
}
