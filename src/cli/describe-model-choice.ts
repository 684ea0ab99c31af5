/** Describes a model that the user didn't name with `--model`. Printed before its first request. */
import { printable } from "../base/printable.ts";
import type { AnnouncedModel } from "./command.ts";

/** For a command that asks a question. */
export function describeAskedModel({ model, because }: AnnouncedModel): string {
  return `kodiai: asking ${printable(model)} because ${printable(because)}. Its provider may charge you\n`;
}

export function describeModelChoice({ model, because }: AnnouncedModel): string {
  return `kodiai: reviewing with ${printable(model)} because ${printable(because)}. Its provider may charge you. To review without a model, use --offline or set KODIAI_MODEL=floor.\n`;
}
