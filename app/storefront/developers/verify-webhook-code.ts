/** The recipe that receivers copy; a test runs it. */
export const verifyWebhookCode = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(headers, body, secret) {
  const at = Number(headers['webhook-timestamp']);
  if (Math.abs(Date.now() / 1000 - at) > 300) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = \`\${headers['webhook-id']}.\${at}.\${body}\`;
  const own = createHmac('sha256', key).update(signed).digest();
  return headers['webhook-signature'].split(' ').some((one) => {
    const theirs = Buffer.from(one.replace('v1,', ''), 'base64');
    return theirs.length === own.length && timingSafeEqual(theirs, own);
  });
}`;
