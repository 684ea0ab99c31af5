/**
 * Signs of texts that neither oxlint nor Babel reads: templates, dialects of other programs, and files that aren't JavaScript whatever their name
 * says. A syntax error in them proves nothing.
 */

const FLOW = /@(?:no)?flow\b/;

/** In the line of the error. */
const SIGNS: readonly RegExp[] = [
  // Templates of Jinja, Liquid, Handlebars, EJS, PHP, FreeMarker.
  /\{%|<%|\{\{[^{}]*\}\}|<\?(?:php|=)|<\/?#\w|\[#\w/,
  // Placeholders of build tools: @VERSION@, @@DATE@@, %VERSION%, ${project.version}.
  /@@?[A-Za-z_][\w.]*@|%[A-Z][A-Z_]+%|[=(:,]\s*\$!?\{[\w.]+\}/,
  // Lines of a preprocessor, of Velocity and of ExtendScript, and Nashorn's comments.
  /^\s*#(?:\s|(?:if|ifdef|ifndef|elif|else|elseif|end|endif|define|undef|include|includepath|import|set|foreach|parse|macro|target|targetengine|script|strict)\b)/,
  // Blade and Razor.
  /@(?:if|unless|isset|else|elseif|endif|foreach|endforeach|forelse|include|section|endsection|extends|yield|json|lang|php|Html|Url|Model|ViewBag|ViewData|Json)\b|=\s*@\(/,
  // Rhino and old SpiderMonkey, QML, the shell of MongoDB.
  /\bfor\s+each\s*\(|\bcatch\s*\(\s*\w+\s+if\b/,
  /^\s*\.(?:pragma|import)\s|^\s*(?:use|show)\s+\w+\s*;?\s*$/,
  // Flow's components and hooks, and records and tuples, a proposal that was withdrawn.
  /\b(?:component|hook)\s+\w+\s*[(<]|#[{[]/,
];

/** A translation of Qt is `.ts` too. The others are a page, a file that Git LFS keeps elsewhere, the target of a symbolic link. */
const OTHER_FILE =
  /^\s*(?:<\?xml|<!DOCTYPE|<TS\b|<html\b|<\?php)|^version https:\/\/git-lfs\.|^[\w.-]*\.{0,2}(?:\/[\w.-]+)+\s*$/i;

export function isOtherDialect(text: string, line: string): boolean {
  return OTHER_FILE.test(text) || FLOW.test(text) || SIGNS.some((sign) => sign.test(line)) || isJson(text);
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
