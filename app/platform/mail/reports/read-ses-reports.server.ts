import { verify, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#app/platform/parse-json.ts';
import { safeFetch } from '#app/platform/safe-fetch.server.ts';
import { isHardBounce } from '../is-hard-bounce.ts';
import {
  forged,
  malformed,
  type MailReport,
  type ReadReports,
  readTime,
  type ReportRequest,
} from './mail-report.ts';

/** https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html */
const envelopeSchema = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.string(),
  Subject: z.string().nullish(),
  Token: z.string().optional(),
  SubscribeURL: z.string().optional(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string(),
  SigningCertURL: z.string(),
});
type Envelope = z.infer<typeof envelopeSchema>;

const recipients = z.array(
  z.object({
    emailAddress: z.string(),
    status: z.string().optional(),
    diagnosticCode: z.string().optional(),
  }),
);

/**
 * https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html (`eventType` if events are
 * published)
 */
const messageSchema = z.object({
  notificationType: z.string().optional(),
  eventType: z.string().optional(),
  bounce: z
    .object({ bounceType: z.string(), bouncedRecipients: recipients, timestamp: z.string() })
    .optional(),
  complaint: z
    .object({
      complainedRecipients: recipients,
      timestamp: z.string(),
      complaintFeedbackType: z.string().nullish(),
    })
    .optional(),
});

/**
 * The requests to Amazon, which tests replace. `mayFetch` limits how often strangers can make this
 * site fetch a certificate.
 */
export interface SesOutside {
  ask?: typeof safeFetch;
  mayFetch(): Promise<boolean>;
}

/**
 * Reads reports of Amazon SES, which arrive through a topic of Amazon SNS. Any AWS customer can
 * have messages signed, so only those of our own topic count. A new subscription to the topic is
 * confirmed.
 */
export async function readSesReports(
  topic: string,
  { body }: Pick<ReportRequest, 'body'>,
  outside: SesOutside,
): Promise<ReadReports> {
  const value = parseJson(body.toString());
  if (value === undefined) return malformed;
  const read = envelopeSchema.safeParse(value);
  if (!read.success || read.data.TopicArn !== topic) return forged;
  const envelope = read.data;
  if (!(await isSignedBySns(envelope, outside))) return forged;
  if (envelope.Type === 'Notification') return readMessage(envelope.Message);
  if (envelope.Type === 'SubscriptionConfirmation') await confirm(envelope, outside);
  return { ok: true, reports: [] };
}

function readMessage(text: string): ReadReports {
  const message = messageSchema.safeParse(parseJson(text));
  // SES itself posts a plain sentence when the topic is selected.
  if (!message.success) return { ok: true, reports: [] };
  const { bounce, complaint } = message.data;
  const bounced = bounce?.bounceType === 'Permanent' ? bounce.bouncedRecipients : [];
  const complained =
    complaint?.complaintFeedbackType === 'not-spam' ? [] : (complaint?.complainedRecipients ?? []);
  const hard = bounced.filter(({ status }) => status === undefined || isHardBounce(status));
  const reports: MailReport[] = [
    ...hard.map(({ emailAddress, diagnosticCode = '' }) => ({
      address: emailAddress,
      reason: 'bounce' as const,
      diagnostic: diagnosticCode,
      at: readTime(bounce?.timestamp),
    })),
    ...complained.map(({ emailAddress }) => ({
      address: emailAddress,
      reason: 'complaint' as const,
      diagnostic: complaint?.complaintFeedbackType ?? '',
      at: readTime(complaint?.timestamp),
    })),
  ];
  return { ok: true, reports };
}

const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  confirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const;

async function isSignedBySns(envelope: Envelope, outside: SesOutside): Promise<boolean> {
  const certificate = await readCertificate(envelope, outside);
  if (certificate === null) return false;
  const isNotification = envelope.Type === 'Notification';
  const fields = signedFields[isNotification ? 'Notification' : 'confirmation'];
  const text = fields
    .flatMap((name) => (envelope[name] == null ? [] : [`${name}\n${envelope[name]}\n`]))
    .join('');
  const algorithm = envelope.SignatureVersion === '2' ? 'RSA-SHA256' : 'RSA-SHA1';
  const signature = Buffer.from(envelope.Signature, 'base64');
  return verify(algorithm, Buffer.from(text), certificate.publicKey, signature);
}

const mostCertificates = 20;
const certificates = new Map<string, X509Certificate>();

/** Fetches the certificate that an envelope names, if SNS hosts it in the region of the topic. */
async function readCertificate(
  { SigningCertURL: address, TopicArn: topic }: Envelope,
  { ask = safeFetch, mayFetch }: SesOutside,
): Promise<X509Certificate | null> {
  const host = hostOf(topic);
  const url = URL.parse(address);
  if (url?.origin !== `https://${host}` || !/^\/[\w-]+\.pem$/.test(url.pathname)) return null;
  let certificate = certificates.get(url.href);
  if (!certificate) {
    if (!(await mayFetch())) return null;
    certificate = await fetchCertificate(url.href, host, ask);
    if (!certificate) return null;
    if (certificates.size >= mostCertificates) certificates.clear();
    certificates.set(url.href, certificate);
  }
  return new Date(certificate.validTo) > new Date() ? certificate : null;
}

async function fetchCertificate(address: string, host: string, ask: typeof safeFetch) {
  try {
    return new X509Certificate(await readFrom(host, address, ask));
  } catch {
    return undefined;
  }
}

async function confirm(
  { SubscribeURL: address = '', TopicArn: topic }: Envelope,
  { ask = safeFetch }: SesOutside,
): Promise<void> {
  const host = hostOf(topic);
  if (URL.parse(address)?.origin !== `https://${host}`) return;
  await readFrom(host, address, ask);
}

async function readFrom(host: string, address: string, ask: typeof safeFetch): Promise<Buffer> {
  const options = { allowHosts: [host], maxBytes: 20_000, timeoutMs: 10_000 };
  const { body } = await ask(address, options);
  return Buffer.concat(await Array.fromAsync(body));
}

/** Returns the host of a topic: `arn:aws:sns:eu-west-1:…` → `sns.eu-west-1.amazonaws.com` */
function hostOf(topic: string): string {
  const [, partition = '', , region = ''] = topic.split(':');
  return `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
}
