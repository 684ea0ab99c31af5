/** Runs the contract of the code index in memory. */
import { testCodeIndex } from "../../test/support/code-index-contract.ts";
import { createMemoryCodeIndex } from "./memory-code-index.ts";

testCodeIndex("memory", (_, given) => createMemoryCodeIndex(given));
