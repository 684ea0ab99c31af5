import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNeverThrows, readWith, showNeeds, showPackages } from "../../../test/support/show-packages.ts";
import { RUBYGEMS } from "./rubygems.ts";

const GEMFILE = `# frozen_string_literal: true
source "https://rubygems.org"
git_source(:corp) { |repo| "https://git.example.com/#{repo}.git" }
ruby "3.3.0"

gem "rails", "~> 7.1", ">= 7.1.2" # the framework
gem 'pg', '1.5.4'
gem "puma",
    ">= 6",
    require: false
gem("rack", "~>3.0") if ENV["RACK"]
gem "dynamic-#{name}", "1.0"
gem "computed", ENV.fetch("VERSION", "~> 1")
gem "tools", :git => "https://user:pw@example.com/tools.git", :branch => "main"
gem "short", github: "acme/short", tag: "v1"
gem "own", corp: "own"
gem "near", path: "../near"
gem "one", group: :test
gem "two", groups: %i[development test]

group :development, :test do
  gem "rspec", "~> 3.0"
  if RUBY_VERSION > "3"
    gem "debug"
  end
  gem "odd", group: :production
end

group :extra, optional: true do
  gem "extra"
end

source "https://gems.example.com" do
  gem "private", "2.0"
end

%w[a b].each do |each|
  gem each
end
=begin
gem "commented"
=end
gem "last"
__END__
gem "never"
`;

const FROM = "from https://rubygems.org";

const LOCK = `GIT
  remote: https://user:pw@example.com/tools.git
  revision: 0123abcd
  branch: main
  specs:
    tools (1.1.0)
      rack (~> 3.0)

PATH
  remote: .
  specs:
    own (0.1.0)
      rack (>= 2, < 4)

GEM
  remote: https://rubygems.org/
  specs:
    nokogiri (1.16.0)
      racc (~> 1.4)
    nokogiri (1.16.0-x86_64-linux)
      racc (~> 1.4)
    racc (1.7.3)
    rack (3.0.8)

GEM
  remote: https://rubygems.org/
  remote: https://gems.example.com/
  specs:
    private (2.0)

PLATFORMS
  ruby
  x86_64-linux

DEPENDENCIES
  nokogiri (>= 1.10, < 2)
  own!
  private (= 2.0)!
  tools!

CHECKSUMS
  nokogiri (1.16.0) sha256=aa
  nokogiri (1.16.0-x86_64-linux) sha256=bb
  own (0.1.0)
  rack (3.0.8) sha256=cc,sha512=dd

RUBY VERSION
   ruby 3.3.0p0

BUNDLED WITH
   2.5.3
`;

const LOCKED = [
  "tools 1.1.0 git https://example.com/tools.git # 0123abcd",
  "own 0.1.0 local .",
  `nokogiri 1.16.0 ${FROM}/ <sha256=aa>`,
  `nokogiri 1.16.0 ${FROM}/ <sha256=bb> [x86_64-linux]`,
  `racc 1.7.3 ${FROM}/`,
  `rack 3.0.8 ${FROM}/ <sha256=cc sha512=dd>`,
  "private 2.0 from https://gems.example.com/",
];

const CASES: readonly (readonly [
  name: string,
  path: string,
  text: string,
  expected: readonly string[] | string,
])[] = [
  [
    "Gemfile",
    "Gemfile",
    GEMFILE,
    [
      `6: rails (~> 7.1, >= 7.1.2) ${FROM}`,
      `7: pg 1.5.4 (= 1.5.4) ${FROM}`,
      `8: puma (>= 6) ${FROM}`,
      `11: rack (~> 3.0) ${FROM}`,
      `13: computed ${FROM}`,
      "14: tools () git https://example.com/tools.git # main",
      "15: short () git https://github.com/acme/short.git # v1",
      "16: own () git own # ",
      "17: near () local ../near",
      `18: one () dev ${FROM}`,
      `19: two () dev ${FROM}`,
      `22: rspec (~> 3.0) dev ${FROM}`,
      `24: debug () dev ${FROM}`,
      `26: odd () ${FROM}`,
      `30: extra () optional ${FROM}`,
      "34: private 2.0 (= 2.0) from https://gems.example.com",
      `43: last () ${FROM}`,
    ],
  ],
  [
    "gemspec",
    "demo.gemspec",
    `Gem::Specification.new do |spec|
  spec.name = "demo"
  spec.add_dependency "rack", ">= 2", "< 4"
  spec.add_runtime_dependency(%q<racc>.freeze, ["~> 1.4".freeze])
  spec.add_development_dependency 'rake'
  spec.add_dependency name, "1"
  spec.add_dependency "pinned", VERSION
end
`,
    ["3: rack (>= 2, < 4)", "4: racc (~> 1.4)", "5: rake () dev", "7: pinned"],
  ],
  ["Gemfile.lock", "a/Gemfile.lock", LOCK, LOCKED],
  ["gems.locked", "gems.locked", LOCK, LOCKED],
  ["Windows line ends", "Gemfile.lock", LOCK.replaceAll("\n", "\r\n"), LOCKED],
  [
    "a Gemfile.lock without its end",
    "Gemfile.lock",
    LOCK.slice(0, LOCK.indexOf("DEPENDENCIES")),
    "malformed",
  ],
  ["half a line", "Gemfile.lock", LOCK.slice(0, LOCK.indexOf("racc (1.7") + 7), "malformed"],
  ["an empty Gemfile.lock", "Gemfile.lock", "", "malformed"],
  ["a conflict", "Gemfile.lock", `${LOCK}<<<<<<< HEAD\n`, "conflict-markers"],
];

test("dependency files of Ruby are read", () => {
  for (const [name, path, text, expected] of CASES)
    assert.deepEqual(showPackages(readWith(RUBYGEMS.formats, path, text)), expected, name);
});

test("needs are resolved within Gemfile.lock", () => {
  assert.deepEqual(showNeeds(readWith(RUBYGEMS.formats, "Gemfile.lock", LOCK)), [
    " → nokogiri 1.16.0, nokogiri 1.16.0, own 0.1.0, private 2.0, tools 1.1.0, rack 3.0.8",
    "tools → rack 3.0.8",
    "own → rack 3.0.8",
    "nokogiri → racc 1.7.3",
    "nokogiri → racc 1.7.3",
  ]);
});

test("Gemfile.lock has the requests of the Gemfile and of the repository's gems", () => {
  const file = readWith(RUBYGEMS.formats, "Gemfile.lock", LOCK);
  assert.deepEqual(typeof file === "string" ? file : file.requested, [
    { name: "rack", requirement: ">= 2, < 4", folder: "" },
    { name: "nokogiri", requirement: ">= 1.10, < 2", folder: "" },
    { name: "own", requirement: "", folder: "" },
    { name: "private", requirement: "= 2.0", folder: "" },
    { name: "tools", requirement: "", folder: "" },
  ]);
});

test("damaged dependency files of Ruby are refused", () => {
  checkNeverThrows(
    RUBYGEMS.formats,
    CASES.map(([, path, text]) => [path, text] as const),
  );
});
