/** An HTTP client whose answers are given by URL, for tests that need no server. Other URLs are absent. */
import type { HttpAnswer, HttpClient } from "../../src/registries/http-client.ts";

export type ScriptedHttp = HttpClient & { readonly urls: readonly string[] };

/** A text or bytes are the body; an object that isn't an answer is the body as JSON. */
export type ScriptedBody = string | Buffer | object;

export function scriptHttp(answers: Readonly<Record<string, ScriptedBody | HttpAnswer>>): ScriptedHttp {
  const urls: string[] = [];
  const answer = async (url: string): Promise<HttpAnswer> => {
    urls.push(url);
    const scripted = answers[url];
    if (scripted === undefined) return { kind: "absent" };
    if (isAnswer(scripted)) return scripted;
    const body = Buffer.isBuffer(scripted)
      ? scripted
      : Buffer.from(typeof scripted === "string" ? scripted : JSON.stringify(scripted));
    return { kind: "found", body, validators: { etag: null, lastModified: "Wed, 31 Jan 2024 12:00:00 GMT" } };
  };
  const head: HttpClient["head"] = async (url) => {
    const { kind } = await answer(url);
    return kind === "found" ? { kind, url } : { kind: "absent" };
  };
  return { urls, get: answer, post: answer, head };
}

function isAnswer(scripted: ScriptedBody | HttpAnswer): scripted is HttpAnswer {
  return typeof scripted === "object" && "kind" in scripted;
}
