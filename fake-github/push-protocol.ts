/** The parts of git's push protocol that the fake reads and writes itself: the list of refs to change, and the report of a refusal. */

/** One ref that the client wants to change. A missing commit is null. */
export type RefCommand = {
  readonly ref: string;
  readonly before: string | null;
  readonly after: string | null;
};

export type PushRequest = {
  readonly commands: readonly RefCommand[];
  readonly capabilities: readonly string[];
  /** The packed objects; empty if the push only deletes. */
  readonly pack: Buffer;
};

const LENGTH_DIGITS = 4;
const NO_COMMIT = /^0+$/;

function commitOrNull(id: string): string | null {
  return NO_COMMIT.test(id) ? null : id;
}

/** Throws if the body isn't a push. */
export function parsePush(body: Buffer): PushRequest {
  const commands: RefCommand[] = [];
  let capabilities: readonly string[] = [];
  let at = 0;
  for (;;) {
    const length = Number.parseInt(body.toString("latin1", at, at + LENGTH_DIGITS), 16);
    if (length === 0) break;
    if (!(length > LENGTH_DIGITS) || at + length > body.length) throw new Error("the push can't be read");
    const line = body.toString("utf8", at + LENGTH_DIGITS, at + length).replace(/\n$/, "");
    const [command = "", listed] = line.split("\0");
    if (listed !== undefined) capabilities = listed.trim().split(" ");
    const [before = "", after = "", ...ref] = command.split(" ");
    // A shallow client first names its boundary.
    if (before !== "shallow")
      commands.push({ before: commitOrNull(before), after: commitOrNull(after), ref: ref.join(" ") });
    at += length;
  }
  return { commands, capabilities, pack: body.subarray(at + LENGTH_DIGITS) };
}

const FLUSH = Buffer.from("0000");

function line(text: string | Buffer, band?: number): Buffer {
  const content = Buffer.concat([Buffer.from(band === undefined ? [] : [band]), Buffer.from(text)]);
  const length = (content.length + LENGTH_DIGITS).toString(16).padStart(LENGTH_DIGITS, "0");
  return Buffer.concat([Buffer.from(length), content]);
}

/** Why a push is refused: a reason per ref, and lines that git prints after "remote:". */
export type PushRefusal = {
  readonly reasons: ReadonlyMap<string, string>;
  readonly remarks: readonly string[];
};

/** The report of a push that changed nothing. */
export function refusalReport({ commands, capabilities }: PushRequest, refusal: PushRefusal): Buffer {
  const report = Buffer.concat([
    line("unpack ok\n"),
    ...commands.map(({ ref }) =>
      line(`ng ${ref} ${refusal.reasons.get(ref) ?? "pre-receive hook declined"}\n`),
    ),
    FLUSH,
  ]);
  if (!capabilities.includes("side-band-64k")) return report;
  return Buffer.concat([...refusal.remarks.map((remark) => line(`${remark}\n`, 2)), line(report, 1), FLUSH]);
}
