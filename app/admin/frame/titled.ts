interface Address {
  params: { id?: string };
}

/** Returns the `meta` of a page, with another title for a new row, which has no `id`. */
export function titled(title: string, whenNew = title) {
  return ({ params }: Address) => [{ title: params.id === undefined ? whenNew : title }];
}
