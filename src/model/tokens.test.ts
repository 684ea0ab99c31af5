import assert from "node:assert/strict";
import { test } from "node:test";
import { addTokens, estimateTokens, sizeOf } from "./tokens.ts";
import { cpuMs } from "../../test/support/cpu-ms.ts";

/**
 * The first article of the Universal Declaration of Human Rights and other texts, with what they are in tokens: the more of GPT-4o
 * and Gemini, and the most of these and GPT-4, Claude 2, Llama 3 and Qwen 2.5.
 */
const MEASURED: readonly (readonly [name: string, text: string, newest: number, most: number])[] = [
  ["English", "All human beings are born free and equal in dignity and rights.", 13, 13],
  [
    "Chinese",
    "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    35,
    50,
  ],
  [
    "traditional Chinese",
    "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。",
    39,
    60,
  ],
  [
    "Japanese",
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。",
    72,
    93,
  ],
  [
    "Korean",
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
    59,
    95,
  ],
  [
    "Russian",
    "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.",
    41,
    89,
  ],
  [
    "Arabic",
    "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميرًا وعليهم أن يعامل بعضهم بعضًا بروح الإخاء.",
    45,
    109,
  ],
  ["Hindi", "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।", 32, 93],
  ["Thai", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ", 32, 117],
  ["Greek", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.", 32, 85],
  ["Hebrew", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.", 22, 56],
  ["Amharic", "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።", 79, 113],
  ["Georgian", "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.", 50, 144],
  ["Polish", "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.", 26, 39],
  ["Vietnamese", "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.", 22, 60],
  ["emoji", "😀🎉🚀🔥👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇩🇪✅❌🧪🫠🐻‍❄️👨🏿‍💻", 52, 78],
  ["code with a comment", "const total = sum(items); // 先把所有项目的价格加起来，再减去折扣", 21, 27],
];

/** How much of them must be estimated for the least suited of the six: letters without accents count as in English. */
const LEAST_SHARE = 0.8;

/** Setting aside ten times too much would keep reviews from being made. */
const MAX_FACTOR = 8;

for (const [name, text, newest, most] of MEASURED)
  test(`tokens are not estimated too low: ${name}`, () => {
    const estimate = estimateTokens(sizeOf(text));
    assert.ok(estimate >= newest, `${estimate} for ${newest}`);
    assert.ok(estimate >= most * LEAST_SHARE, `${estimate} for ${most}`);
    assert.ok(estimate <= newest * MAX_FACTOR, `${estimate} for ${newest}`);
  });

test("code and English count by their characters, whatever is in them", () => {
  const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code)).join("");
  assert.equal(sizeOf(ascii), ascii.length);
  assert.equal(sizeOf(""), 0);
  assert.equal(estimateTokens(sizeOf("x".repeat(3_500))), 1_000);
  assert.equal(estimateTokens(sizeOf("x".repeat(3_501))), 1_001);
});

test("sizes add up: a text in pieces is no smaller than in one, also where a character is cut in two", () => {
  for (const [name, text] of MEASURED) {
    const halves = sizeOf(text.slice(0, 20)) + sizeOf(text.slice(20));
    if (name !== "emoji") assert.equal(halves, sizeOf(text), name);
    for (let at = 0; at <= text.length; at++)
      assert.ok(sizeOf(text.slice(0, at)) + sizeOf(text.slice(at)) >= sizeOf(text), `${name} at ${at}`);
  }
});

test("no character counts more than its bytes, and none counts nothing", () => {
  for (let code = 0x80; code <= 0x1_ffff; code += 7) {
    const character = String.fromCodePoint(code);
    const tokens = estimateTokens(sizeOf(character.repeat(10))) / 10;
    const bytes = Buffer.byteLength(character);
    assert.ok(tokens >= bytes / 2 && tokens <= bytes, `${code.toString(16)}: ${tokens}`);
  }
});

test("a megabyte is measured in milliseconds", () => {
  const text = "人人生而自由 and so on, ".repeat(60_000);
  // A hundred times what it needs: only what grows with the square of the text takes longer.
  assert.ok(cpuMs(() => assert.ok(sizeOf(text) > text.length)) < 500);
});

test("tokens of calls are added up, written ones only where there are any", () => {
  const one = { input: 10, cachedInput: 4, output: 1 };
  assert.deepEqual(addTokens(one, one), { input: 20, cachedInput: 8, output: 2 });
  assert.deepEqual(addTokens(one, { ...one, cacheWriteInput: 3 }), {
    input: 20,
    cachedInput: 8,
    cacheWriteInput: 3,
    output: 2,
  });
});
