/** Deserializers that can run code. Programs often use them on their own files, so most are reported only for outside input. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import { RANK } from "../flow/value.ts";
import { bad, good, type TreeRule } from "../rule.ts";

export const unsafeDeserialisation: TreeRule = {
  kind: "tree",
  id: "unsafe-deserialisation",
  title: "Unsafe deserialization can run arbitrary code",
  severity: "critical",
  category: "security",
  why: "Crafted data makes the deserializer create arbitrary objects and run their code, so anyone who controls the data controls the process.",
  fix: "Use a data-only format or loader (JSON, `yaml.safe_load`, `allowed_classes => false`), or verify a signature first.",
  confidence: 0.9,
  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /\bloads?\b|unsafe_load|restore|unserialize|ObjectInputStream|Deserialize|XMLDecoder|fromXML/,
  ),
  check: checkFlows({
    kind: "deserialize",
    outside: "critical",
    title: (name, { hole }) =>
      hole.rank === RANK.outside
        ? `Unsafe deserialization: ${name} can run arbitrary code`
        : "Unsafe deserialization can run arbitrary code",
  }),
  examples: {
    bad: [
      bad(
        "app/session.py",
        4,
        "import pickle\n\ndef session(request):\n    return pickle.loads(request.body)\n",
      ),
      bad("app/settings.py", 4, "import yaml\n\ndef settings(path):\n    return yaml.load(open(path))\n"),
      bad(
        "app/any.py",
        4,
        "import yaml\n\ndef settings(path):\n    return yaml.load(open(path), Loader=yaml.Loader)\n",
      ),
      bad("app/session.rb", 2, "def session\n  Marshal.load(Base64.decode64(cookies[:session]))\nend\n"),
      bad("session.php", 2, "<?php\n$cart = unserialize($_COOKIE['cart']);\n"),
      bad(
        "src/Session.java",
        3,
        "class Session {\n  Object read(HttpServletRequest request) throws Exception {\n    return new ObjectInputStream(request.getInputStream()).readObject();\n  }\n}\n",
      ),
      bad(
        "Session.cs",
        4,
        "class Session {\n  object Read(Stream stream) {\n    var formatter = new BinaryFormatter();\n    return formatter.Deserialize(stream);\n  }\n}\n",
      ),
      bad(
        "src/session.js",
        2,
        'const serialize = require("node-serialize");\nmodule.exports = (text) => serialize.unserialize(text);\n',
      ),
      bad(
        "app/state.py",
        6,
        "import base64, pickle\n\n@app.post('/state')\ndef restore():\n    state = request.cookies.get('state')\n    return pickle.loads(base64.b64decode(state))\n",
      ),
      bad(
        "app/controllers/import_controller.rb",
        3,
        "class ImportController < ApplicationController\n  def create\n    @data = YAML.load(params[:file].read)\n  end\nend\n",
      ),
      bad(
        "restore.php",
        3,
        "<?php\n$state = base64_decode($_POST['state']);\n$cart = unserialize($state);\n",
      ),
    ],
    good: [
      good(
        "app/cache.py",
        'import pickle\n\ndef cached(path):\n    with open(path, "rb") as file:\n        return pickle.load(file)\n',
      ),
      good(
        "app/settings.py",
        "import yaml\n\ndef settings(path):\n    return yaml.load(open(path), Loader=yaml.SafeLoader) or yaml.safe_load(path)\n",
      ),
      good(
        "app/ruamel.py",
        "from ruamel.yaml import YAML\n\nyaml = YAML()\n\ndef settings(path):\n    return yaml.load(path)\n",
      ),
      good(
        "session.php",
        "<?php\n$cart = unserialize($_COOKIE['cart'], ['allowed_classes' => false]);\n$own = unserialize(file_get_contents($path));\n",
      ),
      good(
        "src/Copy.java",
        "class Copy {\n  Object copy(byte[] own) throws Exception {\n    return new ObjectInputStream(new ByteArrayInputStream(own)).readObject();\n  }\n}\n",
      ),
      good(
        "Session.cs",
        "class Session {\n  Cart Read(string text) => JsonSerializer.Deserialize<Cart>(text);\n}\n",
      ),
      good(
        "app/controllers/import_controller.rb",
        "class ImportController < ApplicationController\n  def create\n    @data = YAML.safe_load(params[:file].read)\n    @own = Marshal.load(Rails.cache.read('x'))\n  end\nend\n",
      ),
    ],
  },
};
