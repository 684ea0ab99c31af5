/** Redirects whose host outside input chooses. A path on the own host is fine. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import { bad, good, type TreeRule } from "../rule.ts";

export const redirectFromInput: TreeRule = {
  kind: "tree",
  id: "redirect-from-input",
  title: "Open redirect: outside input chooses the target",
  severity: "major",
  category: "security",
  why: "A link to your site can send its users to any other site, such as a copy of your login page.",
  fix: "Accept only paths on your own site (starting with one `/`), or look the target up in a list.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(/[rR]edirect|location|Location|Found|LOCATION/),
  check: checkFlows({
    kind: "redirect",
    outside: "major",
    title: (name) => `Open redirect: ${name} chooses the target`,
  }),
  examples: {
    bad: [
      bad("src/login.ts", 2, "app.post('/login', (req, res) => {\n  res.redirect(req.query.next);\n});\n"),
      bad(
        "src/back.js",
        3,
        "exports.back = (req, res) => {\n  const url = req.body.returnTo || '/';\n  res.redirect(302, url);\n};\n",
      ),
      bad(
        "src/page.js",
        2,
        "const next = new URLSearchParams(location.search).get('next');\nlocation.href = next;\n",
      ),
      bad(
        "app/views.py",
        3,
        "def login_done(request):\n    next_url = request.GET.get('next', '/')\n    return HttpResponseRedirect(next_url)\n",
      ),
      bad("app/flask_app.py", 3, "@app.route('/go')\ndef go():\n    return redirect(request.args['url'])\n"),
      bad(
        "web/go.go",
        4,
        'package web\n\nfunc goTo(w http.ResponseWriter, r *http.Request) {\n\thttp.Redirect(w, r, r.FormValue("url"), http.StatusFound)\n}\n',
      ),
      bad(
        "src/GoController.java",
        4,
        'class GoController {\n  @GetMapping("/go")\n  String go(@RequestParam String url) {\n    return "redirect:" + url;\n  }\n}\n',
      ),
      bad(
        "GoController.cs",
        4,
        "public class GoController : Controller {\n  [HttpGet]\n  public IActionResult Go(string returnUrl) {\n    return Redirect(returnUrl);\n  }\n}\n",
      ),
      bad(
        "app/controllers/sessions_controller.rb",
        3,
        "class SessionsController < ApplicationController\n  def create\n    redirect_to params[:return_to]\n  end\nend\n",
      ),
      bad("go.php", 2, "<?php\nheader('Location: ' . $_GET['url']);\n"),
      bad("src/go.rs", 2, "async fn go(Query(q): Query<Go>) -> Redirect {\n    Redirect::to(&q.url)\n}\n"),
    ],
    good: [
      good(
        "src/login.ts",
        "app.post('/login', (req, res) => {\n  res.redirect(`/users/${req.params.id}`);\n  res.redirect('/search?q=' + req.query.q);\n  const next = req.query.next;\n  if (!isLocalUrl(next)) return res.redirect('/');\n  res.redirect(next);\n});\n",
      ),
      good(
        "src/page.js",
        "const next = location.hash === '#b' ? '/b' : '/a';\nlocation.href = next;\nlocation.href = '/login?next=' + encodeURIComponent(location.href);\nlocation.replace(PAGES[location.hash]);\n",
      ),
      good(
        "app/views.py",
        "def login_done(request):\n    next_url = request.GET.get('next', '/')\n    if not url_has_allowed_host_and_scheme(next_url, {request.get_host()}):\n        next_url = '/'\n    return HttpResponseRedirect(next_url)\n",
      ),
      good(
        "app/flask_app.py",
        "@app.route('/go')\ndef go():\n    return redirect(url_for('show', id=request.args['id']))\n",
      ),
      good(
        "web/go.go",
        'package web\n\nfunc goTo(w http.ResponseWriter, r *http.Request) {\n\thttp.Redirect(w, r, "/items/"+r.FormValue("id"), http.StatusFound)\n}\n',
      ),
      good(
        "GoController.cs",
        "public class GoController : Controller {\n  public IActionResult Go(string returnUrl) {\n    if (Url.IsLocalUrl(returnUrl)) return Redirect(returnUrl);\n    return LocalRedirect(returnUrl);\n  }\n}\n",
      ),
      good(
        "app/controllers/sessions_controller.rb",
        "class SessionsController < ApplicationController\n  def create\n    redirect_to user_path(params[:id])\n    redirect_to root_path, notice: params[:notice]\n  end\nend\n",
      ),
      good(
        "go.php",
        "<?php\nheader('Location: /item.php?id=' . urlencode($_GET['id']));\nheader('Location: ' . ($_GET['x'] === 'a' ? '/a' : '/b'));\n",
      ),
    ],
  },
};
