/** `user&.profile.name`: the part after the safe call fails exactly when the safe call gives nil. */
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Methods of nil, and those that tests add to every object. */
const SAFE =
  /^(?:nil\?|blank\?|present\?|presence|presence_in|try|try!|to_s|to_a|to_i|to_f|to_h|to_json|to_param|inspect|then|yield_self|tap|is_a\?|kind_of\?|instance_of\?|respond_to\?|dup|freeze|frozen\?|class|as_json|in\?|itself|hash|object_id|should|should_not|eql\?|equal\?|!|instance_variable_get|html_safe\?|==|!=|!~|=~|<=>|===|&|\|)$/;

export const rubySafeNavigationChain: TreeRule = {
  kind: "tree",
  id: "ruby-safe-navigation-chain",
  title: "Call on nil: the method after `&.` fails when the safe call gives nil",
  severity: "major",
  category: "correctness",
  why: "When the receiver is nil, `&.` gives nil, and the ordinary call after it raises NoMethodError: the guard has no effect.",
  fix: "Use `&.` for the rest of the chain too, or handle nil first.",
  languages: ["ruby"],
  inTests: false,
  trigger: /&\.\w[^\n]{0,200}\.\w/,
  *check(root): Iterable<RuleMatch> {
    for (const call of root.findAll({ rule: { kind: "call" } })) {
      const receiver = call.field("receiver");
      if (receiver?.kind() !== "call") continue;
      const operator = (node: typeof call): string | undefined =>
        node
          .children()
          .find((child) => /^(?:\.|&\.)$/.test(child.text()))
          ?.text();
      if (operator(call) !== "." || operator(receiver) !== "&.") continue;
      const name = call.field("method")?.text() ?? "";
      const safe = receiver.field("method")?.text() ?? "";
      // A question of a nil-safe method (`user&.valid?.to_s`) or a default keeps it from failing.
      if (name === "" || SAFE.test(name) || SAFE.test(safe)) continue;
      yield {
        line: (call.field("method") ?? call).range().start.line + 1,
        title: `Call on nil: ${nameOr(`.${name}`, "the next call")} fails when ${nameOr(`&.${safe}`, "the safe call")} gives nil`,
      };
    }
  },
  examples: {
    bad: [
      bad("app/models/user.rb", 2, "def city(user)\n  user&.address.city\nend\n"),
      bad("app/models/shop.rb", 2, "def name(order)\n  order&.shop.name.upcase\nend\n"),
    ],
    good: [
      good("app/models/user.rb", "def city(user)\n  user&.address&.city\nend\n"),
      good("app/models/shop.rb", "def name(order)\n  order&.shop.to_s\nend\n"),
      good("app/models/empty.rb", "def none?(order)\n  order&.lines.blank?\nend\n"),
      good("app/models/plain.rb", "def name(order)\n  order.shop.name\nend\n"),
    ],
  },
};
