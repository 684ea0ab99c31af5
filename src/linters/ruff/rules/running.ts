/** Concurrency, network and security settings. */
import { badPython, goodPython, type RuffRule } from "../ruff-rule.ts";

const BLOCKS = {
  severity: "major",
  category: "performance",
  why: "The event loop runs one thing at a time. While this call waits, every other task of the process waits too.",
  reason: "One slow call stops the whole server.",
  inTests: false,
} as const;

export const RUNNING: readonly RuffRule[] = [
  {
    ...BLOCKS,
    id: "ASYNC251",
    title: "Blocking call: `time.sleep` in an async function stops all other tasks",
    fix: "Use `await asyncio.sleep(…)`.",
    examples: {
      bad: [badPython(4, "import time\n\nasync def poll():\n    time.sleep(1)\n")],
      good: [goodPython("import asyncio\n\nasync def poll():\n    await asyncio.sleep(1)\n")],
    },
  },
  {
    ...BLOCKS,
    id: "ASYNC210",
    title: "Blocking HTTP call in an async function stops all other tasks",
    fix: "Use an async client such as `httpx.AsyncClient`, or `asyncio.to_thread`.",
    examples: {
      bad: [
        badPython(4, "import requests\n\nasync def load(url):\n    return requests.get(url, timeout=5)\n"),
      ],
      good: [goodPython("import requests\n\ndef load(url):\n    return requests.get(url, timeout=5)\n")],
    },
  },
  {
    ...BLOCKS,
    id: "ASYNC220",
    severity: "medium",
    title: "Blocking call: starting a process in an async function stops other tasks",
    fix: "Use `asyncio.create_subprocess_exec`.",
    examples: {
      bad: [badPython(4, 'import subprocess\n\nasync def build():\n    subprocess.Popen(["make"])\n')],
      good: [goodPython('import subprocess\n\ndef build():\n    subprocess.Popen(["make"])\n')],
    },
  },
  {
    ...BLOCKS,
    id: "ASYNC221",
    title: "Blocking call: running a process in an async function stops other tasks",
    fix: "Use `asyncio.create_subprocess_exec`, or `asyncio.to_thread`.",
    examples: {
      bad: [
        badPython(4, 'import subprocess\n\nasync def build():\n    subprocess.run(["make"], check=True)\n'),
      ],
      good: [goodPython('import subprocess\n\ndef build():\n    subprocess.run(["make"], check=True)\n')],
    },
  },
  {
    id: "RUF006",
    severity: "major",
    category: "reliability",
    title: "Lost task: it isn't stored, so it can disappear before it's done",
    why: "The event loop keeps only a weak reference. Python may remove the task at any time, and its exception is lost.",
    fix: "Keep the task in a set until it's done, or use a TaskGroup.",
    reason: "Work is lost at random, and the documentation of asyncio warns about it.",
    inTests: false,
    examples: {
      bad: [badPython(4, "import asyncio\n\nasync def start(work):\n    asyncio.create_task(work())\n")],
      good: [
        goodPython(
          "import asyncio\n\nasync def start(work, tasks):\n    tasks.add(asyncio.create_task(work()))\n",
        ),
      ],
    },
  },
  {
    id: "PLW2101",
    severity: "must-fix",
    category: "correctness",
    title: "Lock without effect: it is created here, so it protects nothing",
    why: "Every caller gets its own new lock, so two callers never wait for each other.",
    fix: "Create the lock once, outside of the function, and use that one.",
    reason: "The critical section isn't protected.",
    examples: {
      bad: [
        badPython(
          4,
          "import threading\n\ndef add(total):\n    with threading.Lock():\n        return total + 1\n",
        ),
      ],
      good: [
        goodPython(
          "import threading\n\nlock = threading.Lock()\n\ndef add(total):\n    with lock:\n        return total + 1\n",
        ),
      ],
    },
  },
  {
    id: "S113",
    severity: "medium",
    category: "reliability",
    title: "HTTP request without a timeout can wait forever",
    why: "`requests` has no default timeout. A server that doesn't answer blocks the caller for good.",
    fix: "Pass `timeout=`, as in `timeout=10`.",
    reason: "One of the most frequent causes of workers that hang.",
    inTests: false,
    examples: {
      bad: [badPython(4, "import requests\n\ndef load(url):\n    return requests.get(url)\n")],
      good: [goodPython("import requests\n\ndef load(url):\n    return requests.get(url, timeout=10)\n")],
    },
  },
  {
    id: "S201",
    severity: "major",
    category: "security",
    title: "Debugger left on: Flask runs code from the browser",
    why: "Anyone who can reach the server and cause an error can run Python code through the debugger.",
    fix: "Remove `debug=True`, and turn it on from the environment in development.",
    reason: "A known way to take over a server.",
    inTests: false,
    examples: {
      bad: [badPython(4, "from flask import Flask\n\napp = Flask(__name__)\napp.run(debug=True)\n")],
      good: [goodPython("from flask import Flask\n\napp = Flask(__name__)\napp.run()\n")],
    },
  },
  {
    id: "S306",
    severity: "medium",
    category: "security",
    title: "Predictable temporary file: another process can take the name of `mktemp`",
    why: "The file doesn't exist yet. Another user can create it, or a link with its name, before this process does.",
    fix: "Use `mkstemp` or `NamedTemporaryFile`.",
    reason: "Deprecated for this reason since Python 2.3.",
    inTests: false,
    examples: {
      bad: [badPython(3, "import tempfile\n\npath = tempfile.mktemp()\n")],
      good: [goodPython("import tempfile\n\nfile, path = tempfile.mkstemp()\n")],
    },
  },
  {
    id: "S502",
    severity: "medium",
    category: "security",
    title: "Broken TLS version: the connection allows it",
    why: "SSL and TLS before 1.2 have known attacks that let others read the traffic.",
    fix: "Use `ssl.create_default_context()`.",
    reason: "Servers and clients dropped these versions years ago.",
    inTests: false,
    examples: {
      bad: [
        badPython(
          4,
          "import ssl\n\ndef connect(sock):\n    return ssl.wrap_socket(sock, ssl_version=ssl.PROTOCOL_SSLv3)\n",
        ),
      ],
      good: [
        goodPython(
          "import ssl\n\ndef connect(sock):\n    return ssl.create_default_context().wrap_socket(sock)\n",
        ),
      ],
    },
  },
  {
    id: "S505",
    severity: "major",
    category: "security",
    title: "Weak key: it is too short to be safe",
    why: "Keys of this size can be broken with known methods.",
    fix: "Use at least 2048 bits for RSA and DSA, or 224 for elliptic curves.",
    reason: "The key protects nothing against a serious attacker.",
    inTests: false,
    examples: {
      bad: [
        badPython(
          3,
          "from cryptography.hazmat.primitives.asymmetric import rsa\n\nkey = rsa.generate_private_key(public_exponent=65537, key_size=1024)\n",
        ),
      ],
      good: [
        goodPython(
          "from cryptography.hazmat.primitives.asymmetric import rsa\n\nkey = rsa.generate_private_key(public_exponent=65537, key_size=3072)\n",
        ),
      ],
    },
  },
  {
    id: "S507",
    severity: "medium",
    category: "security",
    title: "Unverified host key: SSH accepts any, so another server can answer",
    why: "The client trusts a server that it has never seen, which makes an attack in the middle possible.",
    fix: "Load the known hosts and keep `RejectPolicy`.",
    reason: "Host keys are the only protection that SSH has here.",
    inTests: false,
    examples: {
      bad: [
        badPython(
          4,
          "import paramiko\n\nclient = paramiko.SSHClient()\nclient.set_missing_host_key_policy(paramiko.AutoAddPolicy())\n",
        ),
      ],
      good: [
        goodPython("import paramiko\n\nclient = paramiko.SSHClient()\nclient.load_system_host_keys()\n"),
      ],
    },
  },
];
