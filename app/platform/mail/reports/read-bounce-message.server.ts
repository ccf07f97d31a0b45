import PostalMime from 'postal-mime';
import { isHardBounce } from '../is-hard-bounce.ts';
import type { MailReport } from './mail-report.ts';

/**
 * A message in the bounce mailbox. `report` is null if the message reports no bounce or complaint.
 * `text` may contain the token of our email.
 */
export interface BounceMessage {
  report: Pick<MailReport, 'reason' | 'diagnostic'> | null;
  text: string;
}

const deliveryStatus = /^message\/(?:global-)?delivery-status$/;
/**
 * The types of complaints in RFC 5965, 7.3. `virus` is left out since it concerns the email, and
 * `not-spam` since it is the opposite.
 */
const complaints = new Set(['abuse', 'fraud', 'other']);

/** lines; a stranger may write to the bounce mailbox, and parsing these takes 50 ms at most */
const mostLines = 2_500;
const limits = {
  attachmentEncoding: 'utf8',
  forceRfc822Attachments: true, // The returned email is ignored.
  maxNestingDepth: 8,
  maxHeadersSize: 32 * 1024,
} as const;

/**
 * Reads a delivery status (RFC 3464) or a feedback report (RFC 5965). If the message has no
 * consequences, `report` is null.
 */
export async function readBounceMessage(source: Buffer): Promise<BounceMessage | null> {
  const { attachments } = await PostalMime.parse(cutLines(source), limits);
  const parts = attachments.map(({ mimeType, content }) => ({
    type: mimeType.toLowerCase(),
    content: typeof content === 'string' ? content : '',
  }));
  const feedback = parts.find(({ type }) => type === 'message/feedback-report');
  const status = parts.find(({ type }) => deliveryStatus.test(type));
  const text = [source.toString('latin1'), ...parts.map(({ content }) => content)].join('\n');
  if (feedback) {
    const type = readFields(feedback.content).get('feedback-type')?.toLowerCase() ?? '';
    const report = { reason: 'complaint' as const, diagnostic: type };
    return { report: complaints.has(type) ? report : null, text };
  }
  return status ? { report: readStatus(status.content), text } : null;
}

function cutLines(source: Buffer): Buffer {
  let end = 0;
  for (let line = 0; line < mostLines; line += 1) {
    end = source.indexOf('\n', end) + 1;
    if (end === 0) return source;
  }
  return source.subarray(0, end);
}

/** The first group of fields describes the message; each further one describes a recipient. */
function readStatus(content: string): BounceMessage['report'] {
  const [, ...recipients] = content.split(/\r?\n\s*\r?\n/);
  for (const fields of recipients.map(readFields)) {
    // The field may contain a comment after the status.
    const status = fields.get('status')?.split(/[\s(]/, 1)[0] ?? '';
    if (fields.get('action')?.toLowerCase() !== 'failed' || !isHardBounce(status)) continue;
    const recipient = fields.get('final-recipient') ?? fields.get('original-recipient') ?? '';
    const said = fields.get('diagnostic-code') ?? status;
    return { reason: 'bounce', diagnostic: `${said} (${recipient.replace(/^[^;]*;\s*/, '')})` };
  }
  return null;
}

/** Returns fields by their names in lower case, each unfolded. */
function readFields(text: string): Map<string, string> {
  const lines = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
