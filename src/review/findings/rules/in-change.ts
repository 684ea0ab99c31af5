/**
 * A rule's finding about a file outside the change isn't reported. A model's is listed, and so is one about lines that the diff doesn't
 * show: it saw the problem while it reviewed this change. The description belongs to the change, and so do files that it doesn't show.
 */
import { DESCRIPTION_PATH } from "../description-path.ts";
import { drop, type JudgingRule, KEEP, list } from "./rule.ts";

export const inChange: JudgingRule = ({ file, finding, anchor, carried }) => {
  if (carried !== undefined || finding.path === DESCRIPTION_PATH) return KEEP;
  if (file === null && finding.source === "model") return list("its file isn't part of the change");
  if (file === null) return drop("dropped:not-in-change", `${finding.path} isn't part of the change`);
  const isOwnPlace = finding.seenAt?.some(
    ({ path, startLine }) => path === anchor?.path && startLine === anchor.startLine,
  );
  return isOwnPlace === true && anchor?.isChanged === false
    ? list("its lines aren't part of the change")
    : KEEP;
};
