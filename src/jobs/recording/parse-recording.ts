/** Parses a recording from a file or a database: every field is checked before anything is done with it. */
import * as z from "zod";
import { KodiaiError, messageOf } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import { RECORDING_FORMAT, RECORDING_KIND, ReviewRecording } from "./recording.ts";

const Envelope = z.object({ kind: z.literal(RECORDING_KIND), format: z.int(), program: z.string() });

/** `name`: the file or run, for messages. */
export function parseRecordingText(json: string, name: string): ReviewRecording {
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch (error) {
    throw unreadable(name, `it is no JSON (${messageOf(error)})`, error);
  }
  return parseRecording(content, name);
}

export function parseRecording(content: unknown, name: string): ReviewRecording {
  const envelope = Envelope.safeParse(content);
  if (!envelope.success) throw unreadable(name, "it is no recording of Kodiai");
  const { format, program } = envelope.data;
  if (format !== RECORDING_FORMAT) {
    const age = format > RECORDING_FORMAT ? "a newer" : "an older";
    throw new KodiaiError(
      "bad-json",
      `${printable(name)} was recorded by ${age} Kodiai (${printable(program)}), in format ${format}`,
      {
        hint: `This version reads format ${RECORDING_FORMAT}. Replay the recording with the version that made it, or record the review again.`,
      },
    );
  }
  const parsed = ReviewRecording.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "it" : issue.path.map(String).join(".");
  throw unreadable(name, `${place}: ${issue?.message ?? "wrong"}`);
}

function unreadable(name: string, why: string, cause?: unknown): KodiaiError {
  return new KodiaiError("bad-json", `${printable(name)} cannot be replayed: ${printable(why)}`, {
    hint: "It was damaged or edited. Record the review again with `kodiai review --record FILE`.",
    cause,
  });
}
