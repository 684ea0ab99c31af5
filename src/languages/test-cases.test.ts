import assert from "node:assert/strict";
import { test } from "node:test";
import { testDeclaration } from "./test-cases.ts";

const DECLARED: readonly (readonly [string, string, string, readonly string[]])[] = [
  ["typescript", '  it("adds", () => {', "adds", []],
  ["javascript", "test.concurrent('adds', async () => {", "adds", []],
  ["tsx", "describe(`sums`, () => {", "sums", []],
  ["python", "    async def test_adds(client):", "test_adds", []],
  ["go", "func TestAdd(t *testing.T) {", "TestAdd", []],
  ["php", "    public function testAdds(): void", "testAdds", []],
  ["ruby", '  it "adds" do', "adds", []],
  ["ruby", "  def test_adds", "test_adds", []],
  ["java", "  public void adds() {", "adds", ["  @Test"]],
  ["csharp", "    public async Task Adds()", "Adds", ["    [Fact]"]],
  ["rust", "    fn adds() {", "adds", ["    #[test]"]],
  ["kotlin", "    fun `adds two`() {", "`adds two`", ["    @Test"]],
];

for (const [language, text, name, previous] of DECLARED) {
  test(`${language}: ${text.trim()} declares ${name}`, () => {
    assert.equal(testDeclaration(text, language, previous)?.name, name);
  });
}

const SKIPPED: readonly (readonly [string, string, boolean])[] = [
  ["typescript", 'it.skip("adds", () => {', true],
  ["typescript", 'xit("adds", () => {', true],
  ["typescript", 'it.todo("adds")', true],
  ["typescript", 'it.only("adds", () => {', false],
  ["ruby", 'xit "adds" do', true],
  ["ruby", 'pending "adds" do', true],
  ["ruby", 'it "adds" do', false],
];

for (const [language, text, isSkipped] of SKIPPED) {
  test(`${language}: ${text} is ${isSkipped ? "" : "not "}disabled`, () => {
    assert.equal(testDeclaration(text, language, [])?.isSkipped, isSkipped);
  });
}

const OTHERS: readonly (readonly [string, string])[] = [
  ["typescript", 'const it = item("adds");'],
  ["typescript", "submit('form')"],
  ["python", "def contest():"],
  ["go", "func Testing(t *testing.T) {"],
  ["java", "  public void adds() {"],
  ["rust", "fn adds() {"],
  ["c", "void test_adds(void) {"],
];

for (const [language, text] of OTHERS) {
  test(`${language}: ${text} declares no test`, () =>
    assert.equal(testDeclaration(text, language, []), null));
}
