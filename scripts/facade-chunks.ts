/**
 * Removes chunks that only rename exports of another chunk. The bundler creates one for each dynamically imported module of a group,
 * and loading a file takes most of a millisecond.
 */
type Chunk = { readonly fileName: string; readonly name: string; readonly code: string };

/** `export{a as review,b as other}from"./begin-x.mjs";` and nothing else. */
const FACADE = /^export\{([^{}]+)\}from"(\.\/[^"]+)";?\s*$/;

const DYNAMIC_IMPORT = /import\(`(\.\/[^`]+)`\)/g;

export function withoutFacades(chunks: readonly Chunk[]): readonly Chunk[] {
  const facades = new Map<string, string>();
  for (const { fileName, code } of chunks) {
    const [, names, target] = FACADE.exec(code) ?? [];
    if (names === undefined || target === undefined) continue;
    facades.set(
      `./${fileName}`,
      `import(\`${target}\`).then(e=>({${names.split(",").map(property).join(",")}}))`,
    );
  }
  // A facade that is imported statically stays.
  const isNeeded = ({ fileName }: Chunk): boolean =>
    !facades.has(`./${fileName}`) || chunks.some(({ code }) => code.includes(`"./${fileName}"`));
  return chunks.filter(isNeeded).map((chunk) => ({
    ...chunk,
    code: chunk.code.replaceAll(DYNAMIC_IMPORT, (found, path: string) => facades.get(path) ?? found),
  }));
}

/** From `a as review` or `review`. */
function property(specifier: string): string {
  const [name = "", exported = name] = specifier.split(" as ");
  return `${exported}:e.${name}`;
}
