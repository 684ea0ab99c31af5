/** Terraform rules that open admin ports to the internet. Ports of public services are ignored. */
import type { AddedLine } from "../../review/change/walk-hunks.ts";
import type { FileView, LineRule, RuleMatch } from "../rule.ts";
import { shownLines } from "../lines/shown-lines.ts";

/** A rule has few settings, so its first and last lines are close together. */
const MAX_LINES_AROUND = 15;

/** The lines of the block around a line, without nested blocks; null when the hunk doesn't show its head. */
function blockAround({ line }: AddedLine, file: FileView): readonly string[] | null {
  const shown = shownLines(file);
  const lines: string[] = [];
  let depth = 0;
  for (let above = line; ; above--) {
    const text = above < line - MAX_LINES_AROUND ? null : (shown.get(above) ?? null);
    if (text === null) return null;
    depth += above === line ? 0 : count(text, "}") - count(text, "{");
    lines.unshift(text);
    if (depth < 0) break;
  }
  for (let below = line + 1; below < line + MAX_LINES_AROUND; below++) {
    const text = shown.get(below) ?? null;
    if (text === null || text.trim() === "}") break;
    lines.push(text);
  }
  return lines;
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

function settingOf(block: readonly string[], name: string): string | null {
  for (const text of block) {
    const found = new RegExp(`^\\s*${name}\\s*=\\s*"?(-?\\w+)"?\\s*(?:#.*)?$`).exec(text);
    if (found !== null) return found[1] ?? null;
  }
  return null;
}

/** SSH and remote desktop, or everything. */
function isForAdministration(block: readonly string[]): boolean {
  const [from, to] = [settingOf(block, "from_port"), settingOf(block, "to_port")];
  if (settingOf(block, "protocol") === "-1" || settingOf(block, "ip_protocol") === "-1") return true;
  if (from === null || to === null || !/^-?\d+$/.test(from) || !/^-?\d+$/.test(to)) return false;
  const covers = (port: number): boolean => Number(from) <= port && port <= Number(to);
  return covers(22) || covers(3389) || (from === "0" && to === "65535");
}

function check(line: AddedLine, file: FileView): RuleMatch | null {
  if (
    !/^\s*(?:cidr_blocks|cidr_ipv4|source_ranges|ipv6_cidr_blocks|cidr_ipv6)\s*=.*"(?:0\.0\.0\.0\/0|::\/0)"/.test(
      line.text,
    )
  )
    return null;
  const block = blockAround(line, file);
  const head = block?.[0] ?? "";
  if (block === null) return null;
  const isIngress =
    /^\s*ingress\s*\{|"aws_vpc_security_group_ingress_rule"/.test(head) ||
    settingOf(block, "type") === "ingress";
  return isIngress && isForAdministration(block) ? { line: line.line } : null;
}

export const terraformOpenIngress: LineRule = {
  kind: "line",
  id: "terraform-open-ingress",
  title: "Admin port open to the internet",
  severity: "major",
  category: "security",
  why: "Scanners find open ports within minutes, and one weak password or unpatched service is enough to get in.",
  fix: "Allow only your network or a bastion host, or use the provider's session manager.",
  languages: ["hcl"],
  check,
};
