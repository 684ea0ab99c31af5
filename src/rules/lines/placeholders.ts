/** The placeholders of a translated text, and what is wrong with them next to the text that it translates. */
import { nameOr } from "../rule.ts";

/** Plurals and choices have braces around words, or numbers in braces. */
const CHOICE = /,\s?(?:plural|select|selectordinal|choice)\b|(?:^|\|) ?[{[]\d/;

/** Placeholders with names or numbers: `{{name}}`, `{name}`, `%{name}`, `%(name)s`, and in PHP `:name`. */
const NAMED =
  /\{\{\s?([\p{L}\p{N}_][\p{L}\p{N}_.]{0,40})\s?(?:[|,][^{}]{0,60})?\}\}|(?<![$\\{])(%?)\{\s?([\p{L}\p{N}_][\p{L}\p{N}_.]{0,40})\s?(?:[,:][^{}]{0,60})?\}(?!\})|%\(([\p{L}_]\w{0,40})\)[sdif]|(?<=^|\\[nrt]|[^\w:]):([A-Za-z]\w{1,40})/gu;

/** `</link>` and `<br/>`: libraries put components in their place. */
const TAG = /<\/([A-Za-z0-9][\w-]{0,30})>|<([A-Za-z0-9][\w-]{0,30}) ?\/>/g;
const HTML =
  /^(?:a|abbr|b|big|blockquote|br|button|center|cite|code|del|div|em|font|h\d|hr|i|img|input|ins|kbd|label|li|mark|ol|p|pre|q|s|samp|small|span|strike|strong|sub|sup|svg|table|tbody|td|th|thead|tr|tt|u|ul|var|wbr)$/i;

const PRINTF = /%(?:%|(?:(\d)\$)?[-+0#,']{0,4}\d{0,4}(?:\.\d{1,3})?(?:hh?|ll?|[qzjt])?([sdiufxXeEgGc@]))/g;
const BROKEN_PRINTF =
  /% \d\$ ?[sd@]|%\d \$ ?[sd@]|%\d\$ [sd@]|\$\d%|[％﹪]|%\d\$(?![-+0#,'.\dsdiufxXeEgGc@])/;
const WHOLE = /[diuxX]/;

export type PlaceholderFault = { readonly title: string; readonly detail: string };

export type PlaceholderStyle = {
  readonly isPrintf: boolean;
  /** `:name` is a placeholder. */
  readonly hasColons: boolean;
};

/** Null when the translation fills the same places, or when that isn't certain. `sources`: the forms of the text that it translates. */
export function placeholderFault(
  text: string,
  sources: readonly string[],
  style: PlaceholderStyle,
): PlaceholderFault | null {
  if ([text, ...sources].some((each) => CHOICE.test(each))) return null;
  return namedFault(text, sources, style) ?? (style.isPrintf ? printfFault(text, sources) : null);
}

/** As written, without spaces and formats. */
export function placeholdersIn(text: string, { hasColons }: PlaceholderStyle): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, double, percent, single, python, colon] of text.matchAll(NAMED)) {
    if (double !== undefined) names.add(`{{${double}}}`);
    else if (single !== undefined) names.add(`${percent}{${single}}`);
    else if (python !== undefined) names.add(`%(${python})`);
    else if (hasColons && colon !== undefined) names.add(`:${colon.toLowerCase()}`);
  }
  for (const [, closed, alone] of text.matchAll(TAG)) {
    const tag = closed ?? alone ?? "";
    if (!HTML.test(tag)) names.add(`<${tag}>`);
  }
  return names;
}

function namedFault(
  text: string,
  sources: readonly string[],
  style: PlaceholderStyle,
): PlaceholderFault | null {
  const [first, ...rest] = sources.map((source) => placeholdersIn(source, style));
  if (first === undefined) return null;
  const names = placeholdersIn(text, style);
  const known = rest.reduce((all, more) => all.union(more), first);
  const missing = [...rest.reduce((all, more) => all.intersection(more), first).difference(names)];
  const [lacking] = missing;
  if (lacking === undefined) return null;
  const [unknown] = names.difference(known);
  const detail = `This text lacks ${missing.map(shown).join(" and ")}, which the other languages have.`;
  if (unknown !== undefined)
    return { title: `Unknown placeholder: ${shown(unknown)} isn't known in other languages`, detail };
  const broken = missing.find((each) => hasHalf(text, each));
  if (broken === undefined) return null;
  return { title: `Broken placeholder: ${shown(broken)} isn't written as in other languages`, detail };
}

function shown(placeholder: string): string {
  return nameOr(placeholder.replaceAll(/[^\p{L}\p{N}_.:-]/gu, ""), "a name");
}

/** True when one of its braces is missing, or is a character of another script. */
function hasHalf(text: string, placeholder: string): boolean {
  const name = placeholder.replaceAll(/[^\p{L}\p{N}_.-]/gu, "");
  if (name === "" || !/[{(]/.test(placeholder)) return false;
  return ["{", "｛", "%("].some((open) => text.includes(`${open}${name}`)) || text.includes(`${name}}`);
}

/** The conversions by the number of their argument. */
function conversionsIn(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  let next = 1;
  for (const [, place, type] of text.matchAll(PRINTF))
    if (type !== undefined) found.set(place === undefined ? next++ : Number(place), type);
  return found;
}

function printfFault(text: string, sources: readonly string[]): PlaceholderFault | null {
  const wanted = sources.map(conversionsIn);
  const most = wanted.toSorted((one, other) => other.size - one.size)[0];
  if (most === undefined || most.size === 0) return null;
  const own = conversionsIn(text);
  const broken = own.size < most.size ? BROKEN_PRINTF.exec(text)?.[0] : undefined;
  if (broken !== undefined)
    return {
      title: "Broken placeholder: it isn't written as in other languages",
      detail: `The other languages have ${count(most.size)} here, and this text has ${own.size}.`,
    };
  for (const [place, type] of own) {
    const other = most.get(place);
    if (other === undefined)
      return {
        title: `Unknown placeholder: there is no argument ${place} for it`,
        detail: `The other languages have ${count(most.size)} here.`,
      };
    if (WHOLE.test(type) && /[s@]/.test(other))
      return {
        title: `Wrong placeholder: argument ${place} is a text, but this takes a number`,
        detail: `It is \`%${type}\` here and \`%${other}\` in the other languages.`,
      };
  }
  return null;
}

function count(size: number): string {
  return size === 1 ? "one placeholder" : `${size} placeholders`;
}
