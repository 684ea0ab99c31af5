/**
 * The part of pi's extension API that the extension uses. pi brings its own types, but only for those who install it; the test with
 * the real package compares these with them.
 */

/** In `print` mode, pi shows only what its own model writes. */
export type Mode = "tui" | "rpc" | "json" | "print";

export type Context = {
  readonly cwd: string;
  readonly mode: Mode;
  readonly ui: {
    notify(message: string, type?: "info" | "warning" | "error"): void;
    /** One line in the footer; undefined removes it. */
    setStatus(key: string, text: string | undefined): void;
    /** Lines above the editor; undefined removes them. */
    setWidget(key: string, lines: string[] | undefined): void;
  };
};

type Message = {
  readonly customType: string;
  /** Markdown. It becomes part of what the session's model sees. */
  readonly content: string;
  readonly display: boolean;
  readonly details: unknown;
};

export type Pi = {
  registerCommand(
    name: string,
    options: {
      readonly description: string;
      readonly handler: (args: string, context: Context) => Promise<void>;
    },
  ): void;
  /** Fails after `session_shutdown`. */
  sendMessage(message: Message, options: { readonly triggerTurn: boolean }): void;
  on(event: "session_shutdown", handler: () => Promise<void>): unknown;
};
