/**
 * Returns the headers for an email's HTML in a frame of our pages. The policy allows inline
 * styles, since emails have no others, and only our own pictures.
 */
export function mailPreviewHeaders(origin: string) {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox',
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'SAMEORIGIN',
  };
}
