import { z } from 'zod';
import { parseJson } from '#app/platform/parse-json.ts';
import { isHardBounce } from '../is-hard-bounce.ts';
import {
  forged,
  hmac,
  isRecent,
  isSame,
  malformed,
  type ReadReports,
  readTime,
  type ReportRequest,
} from './mail-report.ts';

const schema = z.object({
  reports: z
    .array(
      z.object({
        type: z.enum(['bounce', 'complaint']),
        address: z.string(),
        /** The status code (RFC 3463). A bounce without one counts as hard. */
        status: z.string().optional(),
        diagnostic: z.string().default(''),
        at: z.string().optional(),
      }),
    )
    .max(1000),
});

/**
 * Reads the site's own format, signed as Standard Webhooks 1.0 describes. `secret` is `whsec_` and
 * the key in base64.
 */
export function readJsonReports(
  secret: string,
  { headers, body, now }: ReportRequest,
): ReadReports {
  const id = headers.get('webhook-id') ?? '';
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const wanted = hmac(key, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]));
  const signatures = (headers.get('webhook-signature') ?? '').split(' ');
  const isSigned = signatures.some(
    (one) => one.startsWith('v1,') && isSame(Buffer.from(one.slice(3), 'base64'), wanted),
  );
  if (!isSigned || !isRecent(timestamp, now)) return forged;
  const read = schema.safeParse(parseJson(body.toString()));
  if (!read.success) return malformed;
  const counting = read.data.reports.filter(
    ({ type, status }) => type === 'complaint' || status === undefined || isHardBounce(status),
  );
  return {
    ok: true,
    reports: counting.map(({ type, address, diagnostic, at }) => ({
      address,
      reason: type,
      diagnostic,
      at: readTime(at),
    })),
  };
}
