/** Where a model was asked in vain, as a line for whoever sits at the command line: it is their own machine that asked. */
import { printable } from "../base/printable.ts";

export type CommandLineModelFailure = {
  readonly model: string;
  readonly address: string;
  readonly reason: string;
};

export function describeModelFailure({ model, address, reason }: CommandLineModelFailure): string {
  return `kodiai: ${printable(model)} was asked at ${printable(address)}: ${reason}\n`;
}
