/** What a person is told before a model reviews that they have not named on the command line. */
import { printable } from "../base/printable.ts";
import type { AnnouncedModel } from "./command.ts";

export function describeChoice({ model, because }: AnnouncedModel): string {
  return `kodiai: ${printable(model)} reviews this change, because ${printable(because)}; its provider may charge you. To review without a model, use --offline or set KODIAI_MODEL=floor.\n`;
}
