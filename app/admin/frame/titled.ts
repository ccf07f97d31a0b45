interface Address {
  params: { id?: string };
}

/** The `meta` of a page: what it is called, and at the address of a new thing, which has no `id`. */
export function titled(title: string, whenNew = title) {
  return ({ params }: Address) => [{ title: params.id === undefined ? whenNew : title }];
}
