/**
 * Reports access checks that a change deletes while the code they protected stays: a guard that denies, an attribute or
 * decorator, a call that authorizes. A check that moved or was replaced is ignored, and so is one whose code goes too.
 */
import { foldCode } from "../../review/findings/fold-code.ts";
import { type DiffLine, walkHunk } from "../../review/change/walk-hunks.ts";
import type { ChangeRule, ChangeView, FileView, RuleMatch } from "../rule.ts";

/** Attributes and decorators above a declaration, and declarations of filters. */
const ATTRIBUTE =
  /^(?:\[(?:Authorize|RequiresClaim|ValidateAntiForgeryToken|AutoValidateAntiforgeryToken|RequirePermission\w*)\b|@(?:login_required|permission_required|permission_classes|user_passes_test|staff_member_required|superuser_required|require_(?:login|auth|permission|role|admin)\w*|requires_auth\w*|jwt_required|csrf_protect|PreAuthorize|PostAuthorize|Secured|RolesAllowed|RequiresPermissions|RequiresRoles|UseGuards|Roles|IsGranted|auth_required|admin_required|token_required)\b|#\[IsGranted\b|before_action\s+:(?:authenticate|authori[sz]e|require|verify|ensure|check|login)\w*|prepend_before_action\s+:(?:authenticate|authori[sz]e)\w*|protect_from_forgery\b|permission_classes\s*=|authentication_classes\s*=|authorize_resource\b|load_and_authorize_resource\b)/;

/** A statement that does nothing but check: `authorize! :update, @post`, `await requirePermission(user, "x")`. */
const CHECK_CALL =
  /^(?:await\s+)?(?:\$this->|this\.|self\.|\w+(?:\.|::|->))?((?:authorize|authenticate)(?:[A-Z_]\w*)?[!?]?|(?:require|check|ensure|assert|verify|enforce|validate)_?(?:\w*_)?(?:[A-Z][a-z]+)?(?:[Aa]uth\w*|[Pp]ermissions?|[Aa]ccess|[Rr]oles?|[Aa]dmin|[Ll]ogin|[Ll]ogged_?[Ii]n|[Oo]wner(?:ship)?|[Cc]srf\w*|[Ss]ignature)!?|denyAccessUnlessGranted)(?:\s*\(|\s+[:@\w])/;

const GUARD =
  /^(?:\}?\s*else\s+)?if\b|^unless\b|^(?:return|raise|throw|head|redirect_to|abort)\b.*\b(?:if|unless)\b/;

/** Go: `if err := s.authorize(r); err != nil {`. */
const CHECKED_ERROR =
  /^if (?:\w+, )?err :?= [\w.]*(?:[aA]uthori[sz]e|[aA]uthenticate|[cC]heck(?:Access|Permission|Auth)|[rR]equire(?:Auth|Admin|Role|Permission)|[eE]nforce|[vV]erify(?:Signature|Token))\w*\(.*err != nil \{$/;

/** Names that ask whether a user may do something. */
const ACCESS =
  /\b(?:is_?|has_?|can_?|may_?|user_?|check_?|not_?)*(?:auth(?:enticated|ori[sz]ed)\w*|[Aa]uthori[sz]e\w*|isA(?:dmin|uth)\w*|is_(?:admin|staff|superuser|owner)|isOwner\w*|has_?(?:[Pp]erm(?:ission)?s?|[Rr]ole|[Aa]ccess|Scope)\w*|has_perm|can(?:[A-Z]\w{2,})|can\?|can_\w{3,}|user_can\w*|current_user_can|[Pp]ermission\w*|[Ll]ogged_?[Ii]n|IsInRole|IsAuthenticated|admin\?|owner\?|csrf\w*|verify\w*[Ss]ignature|timingSafeEqual|compare_digest)\b/;

/** Denies the request. */
const DENIES =
  /\b(?:401|403)\b|[Ff]orbid(?:den)?\b|\b(?:status)?[Uu]nauthori[sz]ed\b|\bStatus(?:Forbidden|Unauthorized)\b|PermissionDenied|AccessDenied|Forbidden\w*|NotAuthori[sz]ed|Unauthori[sz]ed\w*|:forbidden|:unauthorized|permission_denied|access_denied|(?:redirect\w*|Redirect)\b.*login/;

/** Anything on an added line that may take over the check. */
const REPLACES =
  /[Aa]uth(?:\b|or?i[sz]|enticat|_|[A-Z])|[Pp]ermi(?:t|ssion)|\bcan[A-Z_?]|[Aa]ccess|[Rr]ole|[Gg]uard|[Pp]olic(?:y|ies)|[Ff]orbid|\b40[13]\b|[Cc]srf|[Ff]orgery|[Ss]ignature|[Aa]dmin|[Ll]ogin|[Oo]wner/;

/** A change that says so removes the check on purpose. */
const ANNOUNCED =
  /\b(?:remov|drop|delet|revert|deprecat|public|anonymous|unauthenticated|allow|refactor|move|migrat|replac|simplif|clean|rewrit|extract|unif|consolidat|merge)/i;

/** More other code than this leaves with the check: the change removes a feature. */
const MAX_OTHER_LINES = 1;

type Run = { readonly removed: DiffLine[]; readonly added: DiffLine[]; next: DiffLine | null };

export const removedCheck: ChangeRule = {
  kind: "change",
  id: "removed-check",
  title: "Access check removed while the code it protected stays",
  severity: "major",
  category: "security",
  why: "Callers that the check turned away now reach this code.",
  fix: "Restore the check, or state in the description where access is checked now.",
  confidence: 0.75,
  *check(view) {
    if (ANNOUNCED.test(view.change.title)) return;
    for (const file of view.files) {
      const { status, removedLines } = file.file;
      if (file.category !== "source" || status === "deleted" || removedLines === 0) continue;
      const runs = runsOf(file);
      const isReplaced = file.added.some(({ text }) => REPLACES.test(text));
      const match = runs
        .map((run) => lostHandler(run) ?? (isReplaced ? null : lostCheck(run)))
        .find((each) => each !== null);
      if (match === undefined || match === null || isTakenOver(match.name, view)) continue;
      const { name, line, endLine } = match;
      const detail = `\`${name.replaceAll("`", "")}\` is no longer checked here.`;
      yield { path: file.path, side: "old", line, endLine, detail };
    }
  },
};

/** Maximal runs of changed lines, with the first context line after each. */
function runsOf({ file }: FileView): readonly Run[] {
  const runs: Run[] = [];
  for (const hunk of file.hunks) {
    let run: Run | null = null;
    for (const line of walkHunk(hunk)) {
      if (line.kind === "context") {
        if (run !== null && line.text.trim() !== "") {
          run.next = line;
          run = null;
        }
        continue;
      }
      if (run === null) runs.push((run = { removed: [], added: [], next: null }));
      if (line.text.trim() !== "") run[line.kind].push(line);
    }
  }
  return runs;
}

type Lost = RuleMatch & { readonly name: string; readonly endLine: number };

/** A route that loses a handler: `router.delete("/:id", requireAdmin, remove)`. */
const ROUTE =
  /^\w+(?:\.\w+)*\.(?:get|post|put|patch|delete|use|all|route|Handle(?:Func)?|GET|POST|PUT|PATCH|DELETE)\(\s*["'`]/;
const HANDLER =
  /,\s*((?:require|ensure|check|verify|is|must|with|only|assert)_?(?:\w*_)?[A-Z]?\w*?(?:[Aa]uth\w*|[Aa]dmin|[Ll]ogin|[Ll]ogged[Ii]n|[Rr]oles?|[Pp]ermissions?|[Aa]ccess|[Oo]wner)|auth(?:enticate|ori[sz]e|Middleware|Required)?|authenticated|passport\.authenticate|requireUser)\b(?:\([^()]*\))?(?=\s*,)/;

function lostHandler({ removed, added }: Run): Lost | null {
  for (const { text, oldLine } of removed) {
    const [found, name] = (ROUTE.test(text.trim()) ? HANDLER.exec(text) : null) ?? [];
    if (found === undefined || name === undefined || oldLine === null) continue;
    const without = foldCode(text.replace(found, ""));
    if (added.some((line) => foldCode(line.text) === without))
      return { line: oldLine, endLine: oldLine, name };
  }
  return null;
}

/** The check that a run removes, when it removes little else and code follows. */
function lostCheck({ removed, added, next }: Run): Lost | null {
  if (next === null || removed.length === 0) return null;
  for (const [index, { text, oldLine }] of removed.entries()) {
    const code = text.trim();
    const length = checkLength(removed, index);
    if (length === 0 || oldLine === null) continue;
    const isAttribute = ATTRIBUTE.test(code);
    // An attribute goes with its declaration, which must stay below it.
    if (isAttribute && removed.slice(index + 1).some((line) => !/^[[@#]/.test(line.text.trim()))) return null;
    if (removed.length - length > MAX_OTHER_LINES || added.length > MAX_OTHER_LINES) return null;
    if (/^[})\]]|^end\b|^else\b|^except\b|^rescue\b/.test(next.text.trim()) && !isAttribute) return null;
    const last = removed[index + length - 1]?.oldLine ?? oldLine;
    return { line: oldLine, endLine: last, name: nameOf(code) };
  }
  return null;
}

/** The number of removed lines from `index` on that form a check; 0 when none starts there. */
function checkLength(removed: readonly DiffLine[], index: number): number {
  const text = removed[index]?.text ?? "";
  const code = text.trim();
  if (ATTRIBUTE.test(code) || (CHECK_CALL.test(code) && !/[{=]\s*$/.test(code))) return 1;
  if (!GUARD.test(code) || !(ACCESS.test(code) || CHECKED_ERROR.test(code))) return 0;
  if (/[;)]\s*$/.test(code) || !/[{:]\s*$|\bthen$/.test(code)) {
    if (DENIES.test(code)) return 1;
    if (!/^(?:if|unless)\b/.test(code)) return 0;
  }
  const indent = indentOf(text);
  let end = index + 1;
  while (end < removed.length && indentOf(removed[end]?.text ?? "") > indent) end++;
  const body = removed.slice(index + 1, end).map((line) => line.text);
  if (!body.some((line) => DENIES.test(line)) && !CHECKED_ERROR.test(code)) return 0;
  const isClosed = /^(?:\}|end\b)/.test(removed[end]?.text.trim() ?? "");
  return end - index + (isClosed ? 1 : 0);
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** The name to show: the call or attribute. */
function nameOf(code: string): string {
  const call = CHECK_CALL.exec(code)?.[1] ?? ACCESS.exec(code)?.[0];
  return (ATTRIBUTE.test(code) ? code : (call ?? code)).slice(0, 60);
}

/** True when another file of the change adds the same check. */
function isTakenOver(name: string, { files }: ChangeView): boolean {
  const word = /[A-Za-z_]\w{3,}/.exec(name)?.[0] ?? name;
  return files.some(({ added }) => added.some(({ text }) => text.includes(word)));
}
