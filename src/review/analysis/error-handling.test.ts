import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import { walkHunk } from "../change/walk-hunks.ts";
import { createErrorHandlingWatch } from "./error-handling.ts";

/** One entry per file; `lossy` are the indexes of the files that lost error handling. */
const CHANGES: readonly [what: string, files: readonly (readonly string[])[], lossy: readonly number[]][] = [
  ["try and catch removed", [["-try {", "-  run();", "-} catch (e) {", "-  log(e);", "-}", "+run();"]], [0]],
  ["Go check removed", [[" a, err := f()", "-if err != nil {", "-\treturn err", "-}", "+use(a)"]], [0]],
  ["except removed", [["-except ValueError as e:", "-    log(e)", " done()"]], [0]],
  ["renamed variable", [["-} catch (e) {", "+} catch (error) {", "   log(error);"]], []],
  ["moved within the file", [["-} catch (e) {", " x", "+} catch (e) {", "   log(e);"]], []],
  ["re-indented", [["-} catch (e) {", "-  log(e);", "+  } catch (e) {", "+    log(e);"]], []],
  ["moved to another file", [["-} catch (e) {"], ["+} catch (e) {", "+  log(e);"]], []],
  ["removed here, another added there", [["-} catch (e) {"], ["+} catch (other) {", "+  log(other);"]], [0]],
  ["emptied in place", [[" } catch (e) {", "-  log(e);", " }"]], [0]],
  ["empty one-liner added", [["+try { a(); } catch (e) {}"]], [0]],
  ["empty body added", [["+} catch {", "+}"]], [0]],
  ["empty body before finally", [["+} catch (e) {", "+", "+} finally {"]], [0]],
  ["reason given", [["+} catch {", "+  // the file may be gone already", "+}"]], []],
  ["except pass", [["+except Exception: pass"]], [0]],
  ["except pass on two lines", [["+except Exception:", "+    pass"]], [0]],
  ["swallowed promise", [["+run().catch(() => {});"]], [0]],
  ["rescue nil", [["+value = run rescue nil"]], [0]],
  ["body replaced", [[" } catch (e) {", "-  log(e);", "+  throw e;", " }"]], []],
  ["untouched empty handler", [["+a();", " } catch (e) {", " }"]], []],
  ["only a comment", [["-// catch (e) { handles it"]], []],
  ["handler added", [["+} catch (e) {", "+  log(e);", "+}"]], []],
  ["words", [["-catchment(area)", "-rescued = true", "-exceptional: 1"]], []],
];

test("error handling that was removed or emptied is found", () => {
  for (const [what, files, lossy] of CHANGES) {
    const watching = createErrorHandlingWatch();
    for (const [index, lines] of files.entries()) {
      const file = changedFile({ path: `${index}`, status: "modified", lines });
      const read = watching.watch(file);
      for (const hunk of file.hunks) {
        let isFirst = true;
        for (const line of walkHunk(hunk)) {
          read(line, isFirst);
          isFirst = false;
        }
      }
    }
    assert.deepEqual(watching.pathsWithLoss(), lossy.map(String), what);
  }
});
