/** The task, the language of the review, and what this prompt leaves out. */
import { isEnglish } from "../../../config/review-language.ts";
import type { SectionRenderer } from "../section.ts";
import type { PromptInput } from "../prompt.ts";

export const task: SectionRenderer = {
  name: "task",
  budgetChars: 500,
  leanBudgetChars: 500,
  render(input) {
    const text = [
      "# Now",
      ...describeLanguage(input),
      ...(input.size === "lean"
        ? [
            "This is a shorter prompt: guidelines, path instructions, risk signals and open findings are left out. Focus on the most serious defects.",
          ]
        : []),
      "Review these files: record findings as you go, mark the files that you have read, then finish.",
    ];
    return { text: text.join("\n"), cutChars: 0 };
  },
};

function describeLanguage({ config, guard }: PromptInput): readonly string[] {
  const { language } = config.review;
  if (isEnglish(language)) return [];
  const rest = "Don't translate quotes, code, names, severities and categories.";
  const name = nameOfLanguage(language);
  return name === null
    ? [
        `Write titles, bodies and the summary in the language named here. ${rest}`,
        guard.fence("language of the review", guard.prose(language)),
      ]
    : [`Write titles, bodies and the summary in ${name}. ${rest}`];
}

/** The English name of a language code; null for other text. */
function nameOfLanguage(code: string): string | null {
  try {
    return new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }).of(code) ?? null;
  } catch {
    return null;
  }
}
