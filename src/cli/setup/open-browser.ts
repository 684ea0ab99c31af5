/** Opens a page in the person's browser, where there is one. */
import { spawn } from "node:child_process";

/** The system's own program for it. Null where none is known. */
function openerOf(platform: string): readonly string[] | null {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return platform === "linux" || platform.endsWith("bsd") ? ["xdg-open"] : null;
}

/** Resolves to false if the program couldn't be started. The link is printed in any case. */
export function openBrowser(url: string, platform: string = process.platform): Promise<boolean> {
  const [program, ...args] = openerOf(platform) ?? [];
  if (program === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
