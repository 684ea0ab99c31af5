/** Outside input that becomes HTML unescaped. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import { bad, good, type TreeRule } from "../rule.ts";

const NOT_HTML = /content-type:\s*(?:text\/(?:plain|csv)|application\/(?!xhtml))/i;

export const htmlFromInput: TreeRule = {
  kind: "tree",
  id: "html-from-input",
  title: "Cross-site scripting: outside input is inserted as HTML",
  severity: "must-fix",
  category: "security",
  why: "A crafted link or form can put a script into this value, which then runs in the session of the user who opens it.",
  fix: "Insert it as text (`textContent`, a JSX child, a template variable), or escape it for HTML first.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /innerHTML|outerHTML|srcdoc|[wW]rite|insertAdjacentHTML|__html|html|HTML|Html|mark_safe|Markup|\bsend\b|echo|print|Fprint|return\b[^\n"'`]{0,200}["'`]|<\/[a-z]|["'`]\s{0,8}<[a-z]|Content|<\?=|exit|die/,
  ),
  check: checkFlows({
    kind: "html",
    outside: "must-fix",
    title: (name) => `Cross-site scripting: ${name} is inserted as HTML`,
    // Browsers don't parse plain text or JSON as HTML.
    isWanted: (_flow, file) =>
      file.language !== "php" || file.lines?.some((line) => NOT_HTML.test(line)) !== true,
  }),
  examples: {
    bad: [
      bad("src/page.js", 1, "title.innerHTML = decodeURIComponent(location.hash.slice(1));\n"),
      bad("src/page.ts", 1, "box.innerHTML = `<b>${new URLSearchParams(location.search).get('q')}</b>`;\n"),
      bad("src/page.js", 1, "document.write('<a href=\"' + document.referrer + '\">back</a>');\n"),
      bad(
        "src/page.js",
        2,
        "window.onmessage = (event) => {\n  box.insertAdjacentHTML('beforeend', event.data);\n};\n",
      ),
      bad(
        "src/Page.tsx",
        1,
        "export const Page = () => <div dangerouslySetInnerHTML={{ __html: window.location.hash }} />;\n",
      ),

      bad("page.php", 2, "<?php\necho 'Hello ' . $_GET['name'];\n"),
      bad("page.php", 2, "<?php\nprint \"Hello {$_POST['name']}\";\n"),
      bad("page.php", 1, "<p><?= $_REQUEST['name'] ?? 'you' ?></p>\n"),
      bad(
        "src/hello.js",
        2,
        "app.get('/hello', (req, res) => {\n  res.send(`<h1>Hello ${req.query.name}</h1>`);\n});\n",
      ),
      bad(
        "src/Search.tsx",
        3,
        "export default function Search() {\n  const router = useRouter();\n  return <p dangerouslySetInnerHTML={{ __html: router.query.q }} />;\n}\n",
      ),
      bad(
        "app/views.py",
        3,
        "def hello(request):\n    name = request.GET['name']\n    return HttpResponse(f'<h1>Hello {name}</h1>')\n",
      ),
      bad(
        "app/safe.py",
        2,
        "def title(request):\n    return render(request, 'a.html', {'title': mark_safe(request.POST['title'])})\n",
      ),
      bad(
        "app/flask_app.py",
        3,
        "@app.route('/hi/<name>')\ndef hi(name):\n    return '<h1>Hi ' + name + '</h1>'\n",
      ),
      bad(
        "web/hello.go",
        4,
        'package web\n\nfunc hello(w http.ResponseWriter, r *http.Request) {\n\tfmt.Fprintf(w, "<h1>Hello %s</h1>", r.URL.Query().Get("name"))\n}\n',
      ),
      bad(
        "web/page.go",
        5,
        'package web\n\nfunc page(w http.ResponseWriter, r *http.Request) {\n\tbio := r.FormValue("bio")\n\trender(w, map[string]any{"bio": template.HTML(bio)})\n}\n',
      ),
      bad(
        "src/HelloServlet.java",
        3,
        'class HelloServlet extends HttpServlet {\n  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {\n    response.getWriter().println("<h1>Hello " + request.getParameter("name") + "</h1>");\n  }\n}\n',
      ),
      bad(
        "HelloController.cs",
        4,
        'public class HelloController : Controller {\n  [HttpGet]\n  public IActionResult Hello(string name) {\n    return Content($"<h1>Hello {name}</h1>", "text/html");\n  }\n}\n',
      ),
      bad(
        "app/controllers/pages_controller.rb",
        3,
        'class PagesController < ApplicationController\n  def show\n    @title = "<b>#{params[:title]}</b>".html_safe\n  end\nend\n',
      ),
      bad("greet.php", 3, "<?php\n$name = $_GET['name'] ?? 'you';\necho \"<p>Hello $name</p>\";\n"),
      bad(
        "src/hello.rs",
        2,
        'async fn hello(Query(q): Query<Hello>) -> Html<String> {\n    Html(format!("<h1>Hello {}</h1>", q.name))\n}\n',
      ),
    ],
    good: [
      good("src/page.js", "title.textContent = location.hash;\nbox.innerHTML = '<b>fixed</b>';\n"),
      good(
        "src/page.js",
        "box.innerHTML = DOMPurify.sanitize(location.hash);\nbox.innerHTML = escapeHtml(event.data);\n",
      ),
      good("src/page.js", "box.innerHTML = location.hash === '#a' ? '<b>a</b>' : '<b>b</b>';\n"),
      good(
        "src/page.js",
        "// box.innerHTML = location.hash;\nbox.innerHTML = pages[location.hash.length];\nbox.innerHTML = render(items);\n",
      ),

      good("page.php", "<?php\necho 'Hello ' . htmlspecialchars($_GET['name'], ENT_QUOTES);\n"),
      good("page.php", "<?php\necho (int) $_GET['page'];\necho esc_html($_GET['q']);\n"),
      good(
        "page.php",
        "<?php\necho isset($_GET['a']) ? 'yes' : 'no';\necho $_GET['a'] === 'x' ? 'yes' : 'no';\n",
      ),
      good("page.php", "<?php\n// echo $_GET['name'];\n$name = $_GET['name'];\n"),
      good("ping.php", "<?php\nheader('Content-Type: text/plain');\necho $_GET['challenge'];\n"),
      good(
        "src/hello.js",
        "app.get('/hello', (req, res) => {\n  res.send(`<h1>Hello ${escapeHtml(req.query.name)}</h1>`);\n  res.send(req.body);\n  res.json({ html: `<b>${req.query.name}</b>` });\n});\n",
      ),
      good(
        "app/views.py",
        "def hello(request):\n    name = request.GET['name']\n    format_html('<b>{}</b>', name)\n    page = int(request.GET['page'])\n    HttpResponse(f'<p>{page}</p>')\n    return HttpResponse(f'<h1>Hello {escape(name)}</h1>')\n",
      ),
      good(
        "web/hello.go",
        'package web\n\nfunc hello(w http.ResponseWriter, r *http.Request) {\n\tfmt.Fprintf(w, "<h1>Hello %s</h1>", html.EscapeString(r.URL.Query().Get("name")))\n\tfmt.Fprintf(w, "hello %s", r.FormValue("name"))\n}\n',
      ),
      good(
        "app/controllers/pages_controller.rb",
        'class PagesController < ApplicationController\n  def show\n    @title = "<b>#{h(params[:title])}</b>".html_safe\n    @kind = t("pages.#{params[:kind]}")\n  end\nend\n',
      ),
      good(
        "src/hello.rs",
        'async fn hello(Query(q): Query<Hello>) -> Html<String> {\n    Html(format!("<h1>Hello {}</h1>", encode_safe(&q.name)))\n}\n',
      ),
    ],
  },
};
