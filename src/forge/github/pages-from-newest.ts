/** Reads a list that GitHub returns oldest first from its end. */

type ApiPage<Item> = {
  readonly data: readonly Item[];
  readonly headers: { readonly link?: string | undefined };
};

/** The items of a page stay oldest first. The first page is always requested, because it says which one is the last. */
export async function* pagesFromNewest<Item>(
  request: (page: number) => Promise<ApiPage<Item>>,
  maxPages = Infinity,
): AsyncGenerator<readonly Item[]> {
  const first = await request(1);
  const last = lastPageOf(first.headers.link) ?? 1;
  for (let page = last; page >= 1 && last - page < maxPages; page -= 1) {
    yield page === 1 ? first.data : (await request(page)).data;
  }
}

function lastPageOf(link: string | undefined): number | null {
  const [, url] = /<([^<>]+)>;\s*rel="last"/.exec(link ?? "") ?? [];
  const page = url === undefined ? null : new URL(url).searchParams.get("page");
  return page === null ? null : Number(page);
}
