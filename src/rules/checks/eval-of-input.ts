/** Outside input that is run as code or compiled as a template. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import { bad, good, type TreeRule } from "../rule.ts";

export const evalOfInput: TreeRule = {
  kind: "tree",
  id: "eval-of-input",
  title: "Code injection: untrusted input is evaluated",
  severity: "critical",
  category: "security",
  why: "Anyone who controls the input can run arbitrary code with this program's privileges.",
  fix: "Parse the value (`JSON.parse`, `ast.literal_eval`, a table of allowed names) instead of evaluating it, and pass it to templates as data.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /[eE]val|exec|\bFunction\b|runIn|assert|create_function|setTimeout|setInterval|constantize|send\b|parseExpression|render_template_string|from_string|import_module|call_user_func|inline:/,
  ),
  check: checkFlows({
    kind: "eval",
    outside: "critical",
    title: (name) => `Code injection: ${name} is evaluated as code`,
  }),
  examples: {
    bad: [
      bad(
        "src/calc.ts",
        2,
        "export function calc(req: Request, res: Response) {\n  res.send(eval(req.query.expression));\n}\n",
      ),
      bad(
        "src/filter.js",
        3,
        'function filter(req, rows) {\n  const body = req.body.filter;\n  return rows.filter(new Function("row", body));\n}\n',
      ),
      bad("src/page.js", 1, "eval(location.hash.slice(1));\n"),
      bad("app/calc.py", 2, 'def calc(request):\n    return eval(request.GET["expression"])\n'),
      bad("app/calc.rb", 2, "def calc\n  eval(params[:expression])\nend\n"),
      bad("calc.php", 3, "<?php\n$code = $_POST['code'];\neval($code);\n"),
      bad(
        "src/timer.js",
        2,
        "app.get('/later', (req, res) => {\n  setTimeout(\"notify('\" + req.query.name + \"')\", 100);\n});\n",
      ),
      bad(
        "src/vm.ts",
        4,
        "import vm from 'node:vm';\n\nexport async function POST(request: Request) {\n  return Response.json(vm.runInNewContext(await request.text()));\n}\n",
      ),
      bad(
        "app/page.py",
        4,
        "@app.route('/hello')\ndef hello():\n    name = request.args.get('name')\n    return render_template_string('<p>Hello ' + name + '</p>')\n",
      ),
      bad(
        "app/models.rb",
        3,
        "class TypesController < ApplicationController\n  def show\n    render json: params[:type].constantize.all\n  end\nend\n",
      ),
      bad(
        "src/Calc.java",
        4,
        'class Calc {\n  @PostMapping("/calc")\n  Object calc(@RequestBody String formula) throws Exception {\n    return engine.eval(formula);\n  }\n}\n',
      ),
      bad(
        "src/Spel.java",
        3,
        'class Spel {\n  Object value(HttpServletRequest request) {\n    return parser.parseExpression(request.getParameter("e")).getValue();\n  }\n}\n',
      ),
      bad(
        "CalcController.cs",
        4,
        "public class CalcController : ControllerBase {\n  [HttpPost]\n  public async Task<IActionResult> Run([FromBody] string code) {\n    return Ok(await CSharpScript.EvaluateAsync(code));\n  }\n}\n",
      ),
    ],
    good: [
      good("src/load.ts", 'export const load = eval("require")("node:fs");\n'),
      good("src/compile.ts", 'export const compile = (source: string) => new Function("data", source);\n'),
      good(
        "src/later.ts",
        "export function later(name: string) {\n  setTimeout(() => greet(name), 100);\n  setTimeout(greet.bind(null, name), delay + 5);\n}\n",
      ),
      good("app/repl.py", 'def run(source, scope):\n    exec(compile(source, "<console>", "exec"), scope)\n'),
      good("app/calc.py", 'def calc(request):\n    return ast.literal_eval(request.GET["expression"])\n'),
      good("app/dsl.rb", "def build(&block)\n  instance_eval(&block)\nend\n"),
      good(
        "src/calc.ts",
        "app.get('/calc', (req, res) => {\n  res.send(JSON.parse(req.body.text));\n  res.send(TABLE[req.query.name](1));\n  eval('1 + 1');\n});\n",
      ),
      good(
        "app/page.py",
        "@app.route('/hello')\ndef hello():\n    return render_template_string('<p>Hello {{ name }}</p>', name=request.args['name'])\n",
      ),
      good(
        "app/types_controller.rb",
        "class TypesController < ApplicationController\n  def show\n    raise unless ALLOWED.include?(params[:type])\n    render json: params[:type].constantize.all\n    record.public_send(:name)\n  end\nend\n",
      ),
      good(
        "src/Calc.java",
        'class Calc {\n  Object calc(@RequestBody String formula) throws Exception {\n    bindings.put("x", formula);\n    return engine.eval("x + 1", bindings);\n  }\n}\n',
      ),
    ],
  },
};
