/**
 * Splits input into lines of bounded length, so that the client can neither fill the memory nor end the connection. A longer
 * line is skipped and reported, with the id of its JSON-RPC request if the id is near its beginning or end.
 */

/** An id is this close to either end of its message, because `method` and `jsonrpc` are short. */
const EDGE_BYTES = 1_024;

const NEWLINE = 0x0a;

const NOTHING = Buffer.alloc(0);

export type TooLong = { readonly bytes: number; readonly id: string | number | null };

export async function* boundedLines(
  input: AsyncIterable<Buffer>,
  maxBytes: number,
  onTooLong: (line: TooLong) => void,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  let [head, tail] = [NOTHING, NOTHING];
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (bytes <= maxBytes) held.push(part);
    else held = [];
    if (head.length < EDGE_BYTES) head = Buffer.concat([head, part.subarray(0, EDGE_BYTES)]);
    tail = Buffer.concat([tail, part.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
  };
  const finish = (): Buffer | null => {
    const line = bytes <= maxBytes ? Buffer.concat(held) : null;
    if (line === null) onTooLong({ bytes, id: idOf(head.toString(), tail.toString()) });
    [held, bytes, head, tail] = [[], 0, NOTHING, NOTHING];
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, end + 1));
      const line = finish();
      if (line !== null) yield line;
      from = end + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  // An unterminated last line isn't a message; if it is too long, it is still reported.
  if (bytes > 0) finish();
}

const ID = String.raw`"id"\s*:\s*("[^"\\]*"|\d{1,15})`;
const SHORT_MEMBER = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"`;

/** Only members that can't contain others may be between the id and the brace, so that it is the id of the whole message. */
const ID_FIRST = new RegExp(String.raw`^\s*\{\s*(?:${SHORT_MEMBER}\s*,\s*)*${ID}\s*,`);
const ID_LAST = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*${SHORT_MEMBER}\s*)*\}\s*$`);

function idOf(head: string, tail: string): string | number | null {
  const found = ID_FIRST.exec(head)?.[1] ?? ID_LAST.exec(tail)?.[1];
  // The pattern matches a string without escapes or an integer.
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
