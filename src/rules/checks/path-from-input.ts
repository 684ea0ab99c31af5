/** Files that outside input chooses. A base name, a list of files, or a check of the folder ends the flow. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import { bad, good, type TreeRule } from "../rule.ts";

export const pathFromInput: TreeRule = {
  kind: "tree",
  id: "path-from-input",
  title: "Path traversal: outside input chooses the file",
  severity: "must-fix",
  category: "security",
  why: "A path such as `../../etc/passwd` reads, overwrites or runs files outside the intended folder.",
  fix: "Resolve the path and check that it is inside the folder, use only the base name, or map the value to a fixed list of files.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /[fF]ile|open|Open|read|Read|write|Write|unlink|remove|Remove|include|require|Path|path|fs\b|send_|Stream|rename|copy|Copy|delete|Delete/,
  ),
  check: checkFlows({
    kind: "path",
    outside: "must-fix",
    title: (name) => `Path traversal: ${name} chooses the file`,
  }),
  examples: {
    bad: [
      bad("index.php", 2, "<?php\ninclude $_GET['page'];\n"),
      bad("index.php", 2, "<?php\nrequire_once __DIR__ . '/pages/' . $_REQUEST['page'] . '.php';\n"),
      bad("index.php", 2, "<?php\ninclude(\"pages/{$_COOKIE['page']}.php\");\n"),
      bad(
        "src/files.ts",
        2,
        "app.get('/files', (req, res) => {\n  res.sendFile(path.join(UPLOADS, req.query.name));\n});\n",
      ),
      bad(
        "src/named.js",
        2,
        'app.get("/notes", (req, res) => {\n  fs.readFile("notes/" + req.query.file, (error, text) => res.type("text").send(text));\n});\n',
      ),
      bad(
        "src/read.js",
        6,
        "const fs = require('fs');\n\nmodule.exports = async (req, res) => {\n  const { name } = req.params;\n  const file = `${__dirname}/notes/${name}.md`;\n  res.send(await fs.promises.readFile(file, 'utf8'));\n};\n",
      ),
      bad(
        "app/files.py",
        4,
        "@app.route('/download')\ndef download():\n    name = request.args['name']\n    return send_file(os.path.join(UPLOADS, name))\n",
      ),
      bad(
        "app/views.py",
        2,
        "def show(request):\n    with open('/srv/notes/' + request.GET['note']) as file:\n        return HttpResponse(file.read(), content_type='text/plain')\n",
      ),
      bad(
        "web/files.go",
        5,
        'package web\n\nfunc file(w http.ResponseWriter, r *http.Request) {\n\tname := r.URL.Query().Get("f")\n\tf, err := os.Open(filepath.Join(root, name))\n\tuse(f, err)\n}\n',
      ),
      bad(
        "web/serve.go",
        4,
        'package web\n\nfunc file(w http.ResponseWriter, r *http.Request) {\n\thttp.ServeFile(w, r, "/srv/"+r.FormValue("f"))\n}\n',
      ),
      bad(
        "src/FileController.java",
        5,
        'class FileController {\n  @GetMapping("/file")\n  byte[] file(@RequestParam String name) throws IOException {\n    Path path = Paths.get("/srv/files", name);\n    return Files.readAllBytes(path);\n  }\n}\n',
      ),
      bad(
        "FilesController.cs",
        5,
        'public class FilesController : ControllerBase {\n  [HttpGet]\n  public IActionResult Get([FromQuery] string name) {\n    var path = Path.Combine(_root, name);\n    return File(System.IO.File.ReadAllBytes(path), "application/pdf");\n  }\n}\n',
      ),
      bad(
        "app/controllers/files_controller.rb",
        3,
        "class FilesController < ApplicationController\n  def show\n    send_file Rails.root.join('files', params[:name])\n  end\nend\n",
      ),
      bad("show.php", 3, "<?php\n$file = 'docs/' . $_GET['file'];\nreadfile($file);\n"),
      bad(
        "src/files.rs",
        2,
        'async fn show(Query(q): Query<File>) -> String {\n    fs::read_to_string(format!("/srv/{}", q.name)).await.unwrap()\n}\n',
      ),
      bad(
        "app/upload.py",
        4,
        '@app.post("/up")\ndef up():\n    file = request.files["f"]\n    file.save(os.path.join(UPLOADS, file.filename))\n    open("/srv/" + file.filename, "wb").write(file.read())\n',
      ),
    ],
    good: [
      good("index.php", "<?php\ninclude $pages[$_GET['page']] ?? 'pages/home.php';\n"),
      good("index.php", "<?php\nrequire __DIR__ . '/pages/' . page_file($_GET['page']);\n"),
      good("index.php", "<?php\ninclude 'a.php';\n// include $_GET['page'];\n$page = $_GET['page'];\n"),
      good(
        "src/files.ts",
        "app.get('/files', (req, res) => {\n  res.sendFile(req.query.name, { root: UPLOADS });\n  res.sendFile(path.join(UPLOADS, path.basename(req.query.name)));\n  const full = path.resolve(UPLOADS, req.query.path);\n  if (!full.startsWith(UPLOADS + path.sep)) return res.sendStatus(404);\n  res.sendFile(full);\n});\n",
      ),
      good(
        "src/read.js",
        "const fs = require('fs');\nmodule.exports = (req, res) => {\n  const file = req.query.lang === 'de' ? 'de.json' : 'en.json';\n  fs.readFile(`${__dirname}/${file}`, (error, text) => res.send(text));\n  fs.readFile(PAGES[req.query.page], (error, text) => res.send(text));\n};\n",
      ),
      good(
        "app/files.py",
        "@app.route('/download/<int:id>')\ndef download(id):\n    open(f'/srv/{id}.pdf')\n    name = secure_filename(request.args['name'])\n    return send_file(os.path.join(UPLOADS, name))\n",
      ),
      good(
        "web/files.go",
        'package web\n\nfunc file(w http.ResponseWriter, r *http.Request) {\n\tname := filepath.Base(r.FormValue("f"))\n\tf, err := os.Open(filepath.Join(root, name))\n\tuse(f, err)\n}\n',
      ),
      good(
        "src/FileController.java",
        'class FileController {\n  byte[] file(@RequestParam String name, @PathVariable Long id) throws IOException {\n    Path path = ROOT.resolve(name).normalize();\n    if (!path.startsWith(ROOT)) throw new NotFound();\n    Files.readAllBytes(Paths.get("/srv/" + id));\n    return Files.readAllBytes(path);\n  }\n}\n',
      ),
      good(
        "app/controllers/files_controller.rb",
        "class FilesController < ApplicationController\n  def show\n    send_file Rails.root.join('files', File.basename(params[:name]))\n    send_file @report.path, filename: params[:name]\n  end\nend\n",
      ),
      good(
        "src/files.rs",
        'async fn show(Path(id): Path<u64>) -> String {\n    fs::read_to_string(format!("/srv/{}", id)).await.unwrap()\n}\n',
      ),
      good(
        "src/upload.js",
        "const fs = require('fs');\nmodule.exports = (req, res) => {\n  fs.readFile(req.file.path, (error, data) => save(data));\n  fs.writeFile('/srv/last.json', req.body.text, done);\n};\n",
      ),
      good(
        "src/UploadController.java",
        "class UploadController {\n  void upload(@RequestParam MultipartFile file, @RequestBody String text) throws IOException {\n    Files.copy(file.getInputStream(), target);\n    Files.writeString(target, text);\n  }\n}\n",
      ),
      good(
        "UploadController.cs",
        "public class UploadController : ControllerBase {\n  [HttpPost]\n  public async Task<IActionResult> Upload([FromForm] IFormFile file, [FromBody] string text) {\n    using var reader = new StreamReader(Request.Body);\n    using var other = new StreamReader(file.OpenReadStream());\n    System.IO.File.WriteAllText(_path, text);\n    return Ok();\n  }\n}\n",
      ),
      good(
        "upload.php",
        "<?php\n$rows = file_get_contents($_FILES['csv']['tmp_name']);\nfile_put_contents('last.txt', $_POST['text']);\nmove_uploaded_file($_FILES['f']['tmp_name'], 'uploads/' . uniqid());\n",
      ),
      good(
        "app/controllers/uploads_controller.rb",
        "class UploadsController < ApplicationController\n  def create\n    @rows = CSV.parse(File.read(params[:file].tempfile.path))\n  end\nend\n",
      ),
    ],
  },
};
