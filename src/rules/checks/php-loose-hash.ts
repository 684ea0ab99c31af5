/** Hashes compared with `==` in PHP, which takes two texts that look like numbers as numbers. */
import { nameOr, type LineRule } from "../rule.ts";

const COMPARED =
  /(?<![\w>:$])(md5|sha1|hash|hash_hmac|crypt|md5_file|sha1_file)\s*\((?:[^()]|\([^()]{0,80}\)){1,120}\)\s*(?:==|!=)(?!=)|(?<![!=<>])(?:==|!=)\s*(md5|sha1|hash|hash_hmac|crypt|md5_file|sha1_file)\s*\(/;

export const phpLooseHash: LineRule = {
  kind: "line",
  id: "php-loose-hash",
  title: "Loose hash comparison: with `==`, different hashes can count as equal",
  severity: "major",
  category: "security",
  why: "PHP compares texts such as `0e123` and `0e456` as numbers, and both are 0. An attacker can look for input whose hash has this form.",
  fix: "Use `hash_equals`, and `password_verify` for passwords.",
  languages: ["php"],
  check({ line, text }) {
    if (/^\s*(?:\/\/|#|\*)/.test(text)) return null;
    const found = COMPARED.exec(text);
    if (found === null) return null;
    return {
      line,
      title: `Loose hash comparison: different results of ${nameOr(found[1] ?? found[2] ?? "", "the hash")} can count as equal`,
    };
  },
};
