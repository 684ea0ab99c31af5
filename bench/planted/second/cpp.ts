import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "cpp-use-after-move",
    language: "cpp",
    kind: "use after move",
    path: "engine/scene.cc",
    before: `#include "engine/scene.h"

#include <iostream>
#include <utility>

namespace engine {

void Scene::Add(std::string name, std::unique_ptr<Node> node) {
  std::clog << "adding " << node->Describe() << '\\n';
  nodes_.emplace(std::move(name), std::move(node));
}

Node* Scene::Find(const std::string& name) const {
  const auto it = nodes_.find(name);
  return it == nodes_.end() ? nullptr : it->second.get();
}

}  // namespace engine
`,
    after: `#include "engine/scene.h"

#include <iostream>
#include <utility>

namespace engine {

void Scene::Add(std::string name, std::unique_ptr<Node> node) {
  nodes_.emplace(std::move(name), std::move(node));
  std::clog << "added " << node->Describe() << '\\n';
}

Node* Scene::Find(const std::string& name) const {
  const auto it = nodes_.find(name);
  return it == nodes_.end() ? nullptr : it->second.get();
}

}  // namespace engine
`,
    line: 10,
    severity: "must-fix",
  },
  {
    id: "cpp-end-deref",
    language: "cpp",
    kind: "missing element not checked",
    path: "engine/assets.cc",
    before: null,
    after: `#include "engine/assets.h"

#include <string>
#include <unordered_map>

namespace engine {

const Texture& Assets::TextureOf(const std::string& name) const {
  const auto found = textures_.find(name);
  return found->second;
}

void Assets::Load(const std::string& name, Texture texture) {
  textures_.insert_or_assign(name, std::move(texture));
}

}  // namespace engine
`,
    line: 10,
    severity: "major",
  },
  {
    id: "cpp-raw-leak",
    language: "cpp",
    kind: "memory not freed on an early return",
    path: "codec/decode.cc",
    before: `#include "codec/decode.h"

#include <cstddef>
#include <cstring>
#include <vector>

bool Decode(const unsigned char* data, std::size_t size, std::vector<unsigned char>* out) {
  std::vector<unsigned char> scratch(size * 2);
  const std::size_t used = Inflate(data, size, scratch.data(), scratch.size());
  if (used == 0) {
    return false;
  }
  out->assign(scratch.begin(), scratch.begin() + static_cast<std::ptrdiff_t>(used));
  return true;
}
`,
    after: `#include "codec/decode.h"

#include <cstddef>
#include <cstring>
#include <vector>

bool Decode(const unsigned char* data, std::size_t size, std::vector<unsigned char>* out) {
  unsigned char* scratch = new unsigned char[size * 2];
  const std::size_t used = Inflate(data, size, scratch, size * 2);
  if (used == 0) {
    return false;
  }
  out->assign(scratch, scratch + used);
  delete[] scratch;
  return true;
}
`,
    line: 11,
    also: [8],
    severity: "major",
  },
  {
    id: "cpp-assign-in-if",
    language: "cpp",
    kind: "assignment in a condition",
    path: "net/connection.cc",
    before: null,
    after: `#include "net/connection.h"

namespace net {

void Connection::OnReadable() {
  const int received = Receive(&buffer_);
  if (received < 0) {
    state_ = State::kFailed;
    return;
  }
  if (received = 0) {
    state_ = State::kClosed;
    Close();
    return;
  }
  parser_.Feed(buffer_.data(), received);
}

void Connection::Close() {
  socket_.Shutdown();
}

}  // namespace net
`,
    line: 11,
    severity: "must-fix",
  },
  {
    id: "cpp-index-bound",
    language: "cpp",
    kind: "index past the end",
    path: "math/polynomial.cc",
    before: `#include "math/polynomial.h"

#include <cstddef>
#include <vector>

double Evaluate(const std::vector<double>& coefficients, double x) {
  double sum = 0;
  double power = 1;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    sum += coefficients[i] * power;
    power *= x;
  }
  return sum;
}

std::size_t Degree(const std::vector<double>& coefficients) {
  return coefficients.empty() ? 0 : coefficients.size() - 1;
}
`,
    after: `#include "math/polynomial.h"

#include <cstddef>
#include <vector>

double Evaluate(const std::vector<double>& coefficients, double x) {
  double sum = 0;
  double power = 1;
  for (std::size_t i = 0; i <= coefficients.size(); ++i) {
    sum += coefficients[i] * power;
    power *= x;
  }
  return sum;
}

std::size_t Degree(const std::vector<double>& coefficients) {
  return coefficients.empty() ? 0 : coefficients.size() - 1;
}
`,
    line: 9,
    also: [10],
    severity: "must-fix",
  },
  {
    id: "cpp-crow-path",
    language: "cpp",
    kind: "request input in a file path",
    path: "web/static_files.cc",
    before: null,
    after: `#include <crow.h>

#include <fstream>
#include <sstream>
#include <string>

void RegisterStaticFiles(crow::SimpleApp& app) {
  CROW_ROUTE(app, "/asset")([](const crow::request& request) {
    const char* name = request.url_params.get("name");
    if (name == nullptr) {
      return crow::response(400);
    }
    std::ifstream file("/srv/assets/" + std::string(name), std::ios::binary);
    if (!file) {
      return crow::response(404);
    }
    std::stringstream content;
    content << file.rdbuf();
    return crow::response(content.str());
  });
}
`,
    line: 13,
    severity: "must-fix",
  },
  {
    id: "cpp-popen-argv",
    language: "cpp",
    kind: "input in shell command",
    path: "tools/blame.cc",
    before: null,
    after: `#include <cstdio>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: blame FILE\\n";
    return 2;
  }
  const std::string command = std::string("git blame --porcelain ") + argv[1];
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return 1;
  }
  char line[4096];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    std::cout << line;
  }
  return pclose(pipe) == 0 ? 0 : 1;
}
`,
    line: 11,
    also: [10],
    severity: "must-fix",
  },
  {
    id: "cpp-self-compare",
    language: "cpp",
    kind: "both sides of an operator are equal",
    path: "geometry/box.cc",
    before: `#include "geometry/box.h"

namespace geometry {

bool operator==(const Box& a, const Box& b) {
  return a.left == b.left && a.top == b.top && a.right == b.right && a.bottom == b.bottom;
}

bool Intersects(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

}  // namespace geometry
`,
    after: `#include "geometry/box.h"

namespace geometry {

bool operator==(const Box& a, const Box& b) {
  return a.left == b.left && a.top == b.top && a.right == a.right && a.bottom == b.bottom;
}

bool Intersects(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

}  // namespace geometry
`,
    line: 6,
    severity: "must-fix",
  },
  {
    id: "cpp-throw-pointer",
    language: "cpp",
    kind: "exception caught by value or thrown by pointer",
    path: "config/reader.cc",
    before: null,
    after: `#include "config/reader.h"

#include <fstream>
#include <stdexcept>
#include <string>

Config ReadConfig(const std::string& path) {
  std::ifstream in(path);
  if (!in) {
    throw new std::runtime_error("cannot open " + path);
  }
  Config config;
  std::string line;
  while (std::getline(in, line)) {
    const auto separator = line.find('=');
    if (separator == std::string::npos) {
      continue;
    }
    config.Set(line.substr(0, separator), line.substr(separator + 1));
  }
  return config;
}
`,
    line: 10,
    severity: "medium",
  },
];
