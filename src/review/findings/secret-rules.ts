/** The rules whose findings point at secrets. */
export const SECRET_RULES: ReadonlySet<string> = new Set(["secret-in-code", "dockerfile-secret"]);
