/** Returns the path of a post or page on this site. */
export function newPathOf({ kind, slug }: { kind: 'post' | 'page'; slug: string }): string {
  return kind === 'post' ? `/blog/${slug}` : `/${slug}`;
}
