/** Reads filters from the address. A value that makes no sense counts as none, because addresses are shared and edited by hand. */

export function readChoice<Value extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Value[],
): Value | null {
  return choices.find((each) => each === query.get(name)) ?? null;
}

/** A positive whole number. */
export function readId(query: URLSearchParams, name: string): number | null {
  return parseId(query.get(name));
}

export function parseId(text: string | null | undefined): number | null {
  return text != null && /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : null;
}

/** The path with those of the values that aren't empty. */
export function withQuery(path: string, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
