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

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks */
const signatureSchema = z.object({
  signature: z.object({ timestamp: z.string(), token: z.string(), signature: z.string() }),
});

/** https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-structure */
const eventSchema = z.object({
  'event-data': z.object({
    event: z.string(),
    recipient: z.string().default(''),
    timestamp: z.number().optional(),
    severity: z.string().optional(),
    'delivery-status': z
      .object({
        'enhanced-code': z.string().nullish(),
        message: z.string().nullish(),
        description: z.string().nullish(),
      })
      .optional(),
  }),
});

/**
 * Reads Mailgun's reports. The signature covers a time and a random token, but not the event, so
 * only recent ones are accepted.
 */
export function readMailgunReports(secret: string, { body, now }: ReportRequest): ReadReports {
  const value = parseJson(body.toString());
  if (value === undefined) return malformed;
  const signed = signatureSchema.safeParse(value);
  if (!signed.success) return forged;
  const { timestamp, token, signature } = signed.data.signature;
  const isSigned = isSame(Buffer.from(signature, 'hex'), hmac(secret, timestamp + token));
  if (!isSigned || !isRecent(timestamp, now)) return forged;
  const read = eventSchema.safeParse(value);
  if (!read.success) return malformed;
  const { event, recipient, severity, timestamp: seconds, ...more } = read.data['event-data'];
  const at = readTime(seconds);
  if (event === 'complained') {
    return { ok: true, reports: [{ address: recipient, reason: 'complaint', diagnostic: '', at }] };
  }
  const status = more['delivery-status'];
  const code = status?.['enhanced-code'];
  const isHard = event === 'failed' && severity === 'permanent' && (!code || isHardBounce(code));
  // The message may be empty if there is a description.
  const diagnostic = status?.message || status?.description || '';
  return {
    ok: true,
    reports: isHard ? [{ address: recipient, reason: 'bounce', diagnostic, at }] : [],
  };
}
