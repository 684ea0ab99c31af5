/** Outgoing requests whose host outside input chooses. A path on a fixed host is fine. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import { bad, good, type TreeRule } from "../rule.ts";

export const requestFromInput: TreeRule = {
  kind: "tree",
  id: "request-from-input",
  title: "Server-side request forgery: outside input chooses the URL",
  severity: "must-fix",
  category: "security",
  why: "Anyone can make this server send requests to internal services or to the cloud's metadata address, and may read the answers.",
  fix: "Look the host up in a list of allowed hosts, or keep the host fixed and pass only a path or an id.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /fetch|axios|got\b|http|Http|HTTP|request|urlopen|urlretrieve|URL|URI|client|Client|curl|rest|Rest/,
  ),
  check: checkFlows({
    kind: "request",
    outside: "must-fix",
    title: (name) => `Server-side request forgery: ${name} chooses the URL`,
  }),
  examples: {
    bad: [
      bad(
        "src/proxy.ts",
        2,
        "app.post('/preview', async (req, res) => {\n  const page = await fetch(req.body.url);\n  res.send(await page.text());\n});\n",
      ),
      bad(
        "src/image.js",
        3,
        "exports.image = async (req, res) => {\n  const { host } = req.query;\n  const { data } = await axios.get(`http://${host}/image.png`);\n  res.send(data);\n};\n",
      ),
      bad(
        "app/preview.py",
        6,
        "import requests\n\n@app.route('/preview')\ndef preview():\n    url = request.args['url']\n    return requests.get(url).text\n",
      ),
      bad(
        "app/views.py",
        4,
        "from urllib.request import urlopen\n\ndef fetch(request):\n    return urlopen(request.POST['feed']).read()\n",
      ),
      bad(
        "web/proxy.go",
        4,
        'package web\n\nfunc proxy(w http.ResponseWriter, r *http.Request) {\n\tresp, err := http.Get(r.URL.Query().Get("url"))\n\tuse(resp, err)\n}\n',
      ),
      bad(
        "src/ProxyController.java",
        4,
        'class ProxyController {\n  @GetMapping("/proxy")\n  String proxy(@RequestParam String url) {\n    return restTemplate.getForObject(url, String.class);\n  }\n}\n',
      ),
      bad(
        "ProxyController.cs",
        4,
        "public class ProxyController : ControllerBase {\n  [HttpGet]\n  public async Task<IActionResult> Get([FromQuery] string url) {\n    return Ok(await _httpClient.GetStringAsync(url));\n  }\n}\n",
      ),
      bad(
        "app/controllers/preview_controller.rb",
        3,
        "class PreviewController < ApplicationController\n  def show\n    render plain: Net::HTTP.get(URI(params[:url]))\n  end\nend\n",
      ),
      bad("proxy.php", 3, "<?php\n$ch = curl_init();\ncurl_setopt($ch, CURLOPT_URL, $_GET['url']);\n"),
      bad(
        "src/proxy.rs",
        2,
        "async fn proxy(Query(q): Query<Proxy>) -> String {\n    reqwest::get(&q.url).await.unwrap().text().await.unwrap()\n}\n",
      ),
    ],
    good: [
      good(
        "src/proxy.ts",
        "app.post('/preview', async (req, res) => {\n  await fetch(`https://api.example.com/users/${req.params.id}`);\n  await fetch(BASE + '/items?q=' + req.query.q);\n  await fetch(URLS[req.query.name]);\n  const url = new URL(req.body.url);\n  if (!HOSTS.has(url.hostname)) return res.sendStatus(400);\n  await fetch(url);\n});\n",
      ),
      good(
        "src/browser.js",
        "async function load() {\n  const id = new URLSearchParams(location.search).get('id');\n  return fetch('/api/items/' + id);\n}\n",
      ),
      good(
        "app/preview.py",
        "import requests\n\n@app.route('/preview')\ndef preview():\n    requests.get('https://api.example.com/search', params={'q': request.args['q']})\n    requests.get(f'https://api.example.com/{request.args[\"id\"]}')\n",
      ),
      good(
        "web/proxy.go",
        'package web\n\nfunc proxy(w http.ResponseWriter, r *http.Request) {\n\tresp, err := http.Get("https://api.example.com/" + r.FormValue("id"))\n\tuse(resp, err)\n}\n',
      ),
      good(
        "src/ProxyController.java",
        'class ProxyController {\n  String proxy(@RequestParam String id) {\n    return restTemplate.getForObject("https://api.example.com/" + id, String.class);\n  }\n}\n',
      ),
      good(
        "app/controllers/preview_controller.rb",
        'class PreviewController < ApplicationController\n  def show\n    render plain: Net::HTTP.get(URI("https://api.example.com/#{params[:id]}"))\n  end\nend\n',
      ),
    ],
  },
};
