/** Every request parameter that is accepted for a record. */
import type { LineRule } from "../rule.ts";

const PERMIT_ALL = /\bparams\b[^#\n]{0,100}\.permit!|\bparams\b[^#\n]{0,100}\.to_unsafe_h(?:ash)?\b/;
const RECORD_CALL =
  /\.(?:create|create!|update|update!|new|assign_attributes|insert|upsert)\s*[( ][^#\n]{0,200}to_unsafe_h/;

/** The parameters become those of an address. */
const FOR_A_LINK = /\b(?:redirect_to|url_for|link_to|\w+_(?:path|url))\b/;

export const rubyPermitAll: LineRule = {
  kind: "line",
  id: "ruby-permit-all",
  title: "Mass assignment: every request parameter is accepted",
  severity: "major",
  category: "security",
  why: "A user can add parameters such as `admin` or `owner_id` to the request, and they are written to the record.",
  fix: "List the attributes that users may set: `params.require(:user).permit(:name, :email)`.",
  confidence: 0.9,
  languages: ["ruby"],
  check({ line, text }) {
    if (/^\s*#/.test(text) || !PERMIT_ALL.test(text) || FOR_A_LINK.test(text)) return null;
    return /\.permit!/.test(text) || RECORD_CALL.test(text) ? { line } : null;
  },
};
