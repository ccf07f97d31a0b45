import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#app/platform/parse-json.ts';
import { isHardBounce } from '../is-hard-bounce.ts';
import {
  forged,
  malformed,
  type MailReport,
  type ReadReports,
  readTime,
  type ReportRequest,
} from './mail-report.ts';

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event */
const schema = z.array(
  z.object({
    event: z.string(),
    email: z.string().default(''),
    timestamp: z.number().optional(),
    /** The type of a bounce: `bounce`, or `blocked` if the problem may be temporary. */
    type: z.string().optional(),
    status: z.string().optional(),
    reason: z.string().default(''),
  }),
);

/**
 * Reads SendGrid's signed Event Webhook. A delayed batch was signed long before it arrives, so its
 * time is not compared.
 */
export function readSendgridReports(
  publicKey: string,
  { headers, body }: Pick<ReportRequest, 'headers' | 'body'>,
): ReadReports {
  const timestamp = headers.get('x-twilio-email-event-webhook-timestamp') ?? '';
  const signature = headers.get('x-twilio-email-event-webhook-signature') ?? '';
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  const key = createPublicKey({
    key: Buffer.from(publicKey, 'base64'),
    format: 'der',
    type: 'spki',
  });
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64'))) return forged;
  const read = schema.safeParse(parseJson(body.toString()));
  if (!read.success) return malformed;
  const reports = read.data.flatMap((one): MailReport[] => {
    const { event, email, timestamp: seconds, type, status, reason } = one;
    const at = readTime(seconds);
    if (event === 'spamreport') {
      return [{ address: email, reason: 'complaint', diagnostic: '', at }];
    }
    const isHard = event === 'bounce' && type !== 'blocked' && (!status || isHardBounce(status));
    return isHard ? [{ address: email, reason: 'bounce', diagnostic: reason, at }] : [];
  });
  return { ok: true, reports };
}
