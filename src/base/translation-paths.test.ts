import assert from "node:assert/strict";
import { test } from "node:test";
import { translationName, translationsOf } from "./translation-paths.ts";

const NAMES: readonly (readonly [path: string, group: string, language: string])[] = [
  ["src/i18n/de.json", "src/i18n/*.json", "de"],
  ["locales/pt-BR/mail.json", "locales/*/mail.json", "pt-BR"],
  ["config/locales/devise.zh_CN.yml", "config/locales/devise.*.yml", "zh_CN"],
  ["app/src/main/res/values-zh-rTW/strings.xml", "app/src/main/res/values-*/strings.xml", "zh-rTW"],
  ["App/sr-Latn.lproj/Main.strings", "App/*.lproj/Main.strings", "sr-Latn"],
  ["src/main/resources/messages_fr.properties", "src/main/resources/messages_*.properties", "fr"],
  ["locale/de/LC_MESSAGES/django.po", "locale/*/LC_MESSAGES/django.po", "de"],
];

for (const [path, group, language] of NAMES)
  test(`${path} is in ${language}`, () => assert.deepEqual(translationName(path), { group, language }));

for (const path of [
  "src/i18n/index.ts",
  "src/i18n/xx.json",
  "src/de.json",
  "gradle.properties",
  "locales/en.md",
])
  test(`${path} is in no language`, () => assert.equal(translationName(path), null));

test("the files of a group are those of each language, and the one without a language", () => {
  const paths = [
    "a/values/strings.xml",
    "a/values-de/strings.xml",
    "a/values-de/arrays.xml",
    "b/values-de/strings.xml",
  ];
  assert.deepEqual(
    Array.from(translationsOf("a/values-*/strings.xml", paths), ([path, { language }]) => [path, language]),
    [
      ["a/values/strings.xml", ""],
      ["a/values-de/strings.xml", "de"],
    ],
  );
});
