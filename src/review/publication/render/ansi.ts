/** Terminal colours as functions on text; without colour they return the text unchanged. Styles aren't nested. */
const ESCAPE = "\u001B[";

export type Paint = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly boldRed: (text: string) => string;
  readonly boldGreen: (text: string) => string;
  readonly boldYellow: (text: string) => string;
  readonly boldBlue: (text: string) => string;
  readonly boldMagenta: (text: string) => string;
  readonly boldCyan: (text: string) => string;
};

export function createPaint(color: boolean): Paint {
  const style = (codes: string) => (text: string) =>
    color && text !== "" ? `${ESCAPE}${codes}m${text}${ESCAPE}0m` : text;
  return {
    bold: style("1"),
    dim: style("2"),
    red: style("31"),
    green: style("32"),
    boldRed: style("1;31"),
    boldGreen: style("1;32"),
    boldYellow: style("1;33"),
    boldBlue: style("1;34"),
    boldMagenta: style("1;35"),
    boldCyan: style("1;36"),
  };
}
