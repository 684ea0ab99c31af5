/** `defer resp.Body.Close()` right after the call, before its error is checked. */
import { bad, good, type PatternRule } from "../rule.ts";

export const goResponseBeforeError: PatternRule = {
  kind: "pattern",
  id: "go-response-before-error",
  title: "Late error check: the response is used before it",
  severity: "major",
  category: "correctness",
  why: "If the request fails, the response is nil, and accessing its `Body` panics instead of returning the error.",
  fix: "Check the error first, then `defer` the close.",
  languages: ["go"],
  trigger: /\bdefer\b.{0,200}\.Body\.Close\(\)/,
  patterns: [
    {
      rule: {
        pattern: "defer $RESPONSE.Body.Close()",
        follows: {
          any: [{ pattern: "$RESPONSE, $ERROR := $_" }, { pattern: "$RESPONSE, $ERROR = $_" }],
          stopBy: { not: { kind: "comment" } },
        },
      },
      constraints: { RESPONSE: { kind: "identifier" }, ERROR: { regex: "^[a-zA-Z]" } },
    },
  ],
  examples: {
    bad: [
      bad(
        "get.go",
        7,
        'package get\n\nimport "net/http"\n\nfunc get(url string) error {\n\tresp, err := http.Get(url)\n\tdefer resp.Body.Close()\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n',
      ),
      bad(
        "do.go",
        6,
        "package get\n\nfunc do(c *http.Client, req *http.Request) (err error) {\n\tvar res *http.Response\n\tres, err = c.Do(req)\n\tdefer res.Body.Close()\n\treturn err\n}\n",
      ),
    ],
    good: [
      good(
        "get.go",
        'package get\n\nimport "net/http"\n\nfunc get(url string) error {\n\tresp, err := http.Get(url)\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer resp.Body.Close()\n\treturn nil\n}\n',
      ),
      good(
        "recorder.go",
        "package get\n\nfunc get(recorder *Recorder) {\n\tresp := recorder.Result()\n\tdefer resp.Body.Close()\n}\n",
      ),
      good(
        "request.go",
        "package get\n\nfunc read(r *http.Request) {\n\tbody, err := read(r)\n\tdefer r.Body.Close()\n\tuse(body, err)\n}\n",
      ),
    ],
  },
};
