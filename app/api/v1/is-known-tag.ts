/**
 * The tag of an If-None-Match header that names this answer, as it was sent; null when none does. The server adds the
 * encoding to the tag of what it compresses, and any encoding of the same answer will do here.
 */
export function isKnownTag(ifNoneMatch: string | null, etag: string): string | null {
  if (ifNoneMatch === null) return null;
  if (ifNoneMatch.trim() === '*') return etag;
  const opaque = (tag: string) => tag.replace(/^W\//, '').replace(/-(?:br|gzip)"$/, '"');
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim());
  return tags.find((tag) => opaque(tag) === etag)?.replace(/^W\//, '') ?? null;
}
