/** Describes a failed model request on the command line. The user's own machine sent it, so the address can be shown. */
import { printable } from "../base/printable.ts";

export type CommandLineModelFailure = {
  readonly model: string;
  readonly address: string;
  readonly reason: string;
};

export function describeModelFailure({ model, address, reason }: CommandLineModelFailure): string {
  return `kodiai: request to ${printable(model)} at ${printable(address)} failed: ${reason}\n`;
}
