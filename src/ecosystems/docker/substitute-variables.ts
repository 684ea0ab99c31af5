/** `$NAME`, `${NAME}`, `${NAME:-default}`, `${NAME:?message}` */
const VARIABLE = /\$(?:\{(\w+)(?:(:?[-?+])([^${}]*))?\}|(\w+))/g;
/** Defaults may use other variables; deeper nesting isn't written by people. */
const MAX_ROUNDS = 3;

/** Replaces variables by their values or defaults. An unknown one stays as `$NAME`. */
export function substituteVariables(text: string, valueOf: (name: string) => string | undefined): string {
  let result = text;
  for (let round = 0; round < MAX_ROUNDS && result.includes("$"); round += 1) {
    result = result.replace(
      VARIABLE,
      (_whole, braced?: string, operator?: string, word?: string, plain?: string) => {
        const name = braced ?? plain ?? "";
        const value = valueOf(name);
        if (value !== undefined && value !== "") return value;
        return operator?.endsWith("-") === true && word !== undefined && word !== "" ? word : `$${name}`;
      },
    );
  }
  return result;
}
