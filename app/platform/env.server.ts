import path from 'node:path';
import type { z } from 'zod';
import type { BucketPlace } from '#database/s3-bucket.ts';
import { serverMemoryMb } from '#database/machine-memory.ts';
import { environmentSchema } from '#app/platform/environment-schema.server.ts';

type Values = z.infer<typeof environmentSchema>;

/** MB; with less memory, the site uses fewer connections */
const smallMb = 1_000;

export type Env = ReturnType<typeof readEnv>;

export type MailEnv = ReturnType<typeof mailEnv>;

const secretNames =
  /_SECRET$|^BACKUP_KEY$|^S3_SECRET|^DATABASE_URL|^SMTP_(?:URL|PASSWORD)$|^BOUNCE_MAILBOX$/;

/** Throws one error that lists every problem, so that all can be fixed at once. */
export function readEnv(source: Record<string, string | undefined> = process.env) {
  const given: Record<string, string> = {};
  for (const name of Object.keys(environmentSchema.shape)) {
    const value = source[name]?.trim();
    if (value) given[name] = value;
  }
  const parsed = environmentSchema.safeParse(given);
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => describeIssue(issue, given)),
    ...missingParts(given),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new Error(`The configuration is not valid:\n${problems.join('\n')}`);
  }
  const values = parsed.data;
  const siteOrigin = values.ORIGIN ?? `http://localhost:${values.PORT}`;
  const memoryMb = values.MEMORY_MB ?? serverMemoryMb();
  return {
    nodeEnv: values.NODE_ENV,
    port: values.PORT,
    host: values.HOST ?? defaultHost(siteOrigin, values.PORT),
    role: values.ROLE,
    /** The origin such as `https://deals.example`, without a slash at the end. */
    origin: siteOrigin,
    /** null: the embedded server in `dataDir` is used. */
    databaseUrl: values.DATABASE_URL ?? null,
    /** null: `databaseUrl` is not a transaction pooler. */
    databaseUrlDirect: values.DATABASE_URL_DIRECT ?? null,
    /** Standbys that may serve visitors. */
    standbyUrls: values.DATABASE_URL_READ,
    databasePool: values.DATABASE_POOL ?? (memoryMb < smallMb ? 5 : 10),
    dataDir: values.DATA_DIR,
    /** null: the owner makes the backups. */
    backups: readBackups(values),
    /** null: backups are not sealed. */
    backupKey: values.BACKUP_KEY ?? null,
    seed: values.SEED,
    logLevel: values.LOG_LEVEL,
    trustedProxies: values.TRUSTED_PROXIES,
    feedPrivateHosts: values.FEED_PRIVATE_HOSTS,
    alertPrivateHosts: values.ALERT_PRIVATE_HOSTS,
    /** Lower case. An entry without a port covers every port. */
    allowedHosts: values.ALLOWED_HOSTS ?? [
      ...new Set([new URL(siteOrigin).hostname, 'localhost', '127.0.0.1', '[::1]']),
    ],
    pageCacheMb: values.PAGE_CACHE_MB ?? Math.min(64, Math.round(memoryMb / 16)),
    sharedCaches: values.SHARED_CACHES,
    /** 0: stores' pictures are not copied. */
    picturesMb: values.PICTURES_MB,
    pictureStore: values.PICTURE_STORE,
    /** null: there is no bucket. */
    s3: readBucket(values),
    maxConnections: values.MAX_CONNECTIONS,
    /** 0: visitors are never turned away because of the event loop delay. */
    overloadDelayMs: values.OVERLOAD_DELAY_MS,
    /** Overrides of the default rate limits. */
    rateLimits: Object.fromEntries(values.RATE_LIMITS.map(readRateLimit)),
    /** null: the proof-of-work puzzle is used. */
    hcaptcha: readHcaptcha(values),
    passwordMinLength: values.PASSWORD_MIN_LENGTH,
    /** External sign-in providers. null: the provider is not offered. */
    providers: {
      google: readClientKeys(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET),
      github: readClientKeys(values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET),
      oidc: readOidc(values),
    },
    linkChecks: values.LINK_CHECKS === 'on',
    cspReports: values.CSP_REPORTS === 'on',
    sessionMonitor: values.SESSION_MONITOR === 'on',
    /** Load balancers that may check whether the process is ready. */
    readyFrom: values.READY_FROM,
    /** 0 if no load balancer has to notice that the process stops. */
    drainSeconds: values.READY_FROM.length > 0 ? values.DRAIN_SECONDS : 0,
    shutdownSeconds: values.SHUTDOWN_SECONDS,
    /** null: metrics are disabled. */
    metrics: readMetrics(values.METRICS_PORT, values.METRICS_HOST),
    mail: mailEnv(values, siteOrigin),
  };
}

function readMetrics(port: number | undefined, host: string) {
  return port === undefined ? null : { port, host };
}

function mailEnv(values: Values, siteOrigin: string) {
  const { SMTP_URL: url, SMTP_HOST: host, DKIM_DOMAIN: domain, DKIM_SELECTOR: selector } = values;
  const privateKeyFile = values.DKIM_PRIVATE_KEY;
  const server = host && {
    host,
    port: values.SMTP_PORT,
    user: values.SMTP_USER ?? null,
    password: values.SMTP_PASSWORD ?? null,
  };
  return {
    /** null: no mail server, so emails stay in the outbox. */
    smtp: url ? { url } : server || null,
    from: values.SMTP_FROM ?? `no-reply@${new URL(siteOrigin).hostname}`,
    /** The ways in which bounces and complaints reach the site. null: this way is disabled. */
    bounces: {
      address: values.BOUNCE_ADDRESS ?? null,
      mailbox: values.BOUNCE_MAILBOX ?? null,
      webhookSecret: values.BOUNCE_WEBHOOK_SECRET ?? null,
      sesTopic: values.SES_TOPIC_ARN ?? null,
      sendgridKey: values.SENDGRID_WEBHOOK_KEY ?? null,
      mailgunSecret: values.MAILGUN_WEBHOOK_SECRET ?? null,
    },
    dkim: domain && selector && privateKeyFile ? { domain, selector, privateKeyFile } : null,
  };
}

function describeIssue(issue: z.core.$ZodIssue, given: Record<string, string>): string {
  const name = String(issue.path[0]);
  const shown = secretNames.test(name) ? 'not usable' : JSON.stringify(given[name]);
  return `  ${name} is ${shown}: it must be ${issue.message}.`;
}

/**
 * Settings that are required together. Half of a pair of keys would block every form, or show a
 * button that fails.
 */
const belongTogether: readonly (readonly (keyof typeof environmentSchema.shape)[])[] = [
  ['HCAPTCHA_SITEKEY', 'HCAPTCHA_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['BOUNCE_ADDRESS', 'BOUNCE_MAILBOX'],
  ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'],
];

function missingParts(given: Record<string, string>): string[] {
  const halves = belongTogether.flatMap((names) => {
    const missing = names.filter((name) => given[name] === undefined);
    if (missing.length === 0 || missing.length === names.length) return [];
    return `  ${names.join(', ')} belong together, but ${missing.join(', ')} is missing.`;
  });
  if (given.S3_BUCKET === undefined) {
    for (const name of ['PICTURE_STORE', 'BACKUPS']) {
      if (given[name] !== 's3') continue;
      halves.push(
        `  ${name} is s3, but the bucket is missing: set S3_ENDPOINT and the other S3 settings.`,
      );
    }
  }
  if (given.SHARED_CACHES !== undefined && Number(given.PAGE_CACHE_MB ?? 1) === 0) {
    halves.push(
      '  SHARED_CACHES requires the page cache, but PAGE_CACHE_MB is 0. Set PAGE_CACHE_MB, or remove SHARED_CACHES.',
    );
  }
  if (given.DATABASE_URL) return halves;
  if (given.DATABASE_URL_DIRECT) {
    halves.unshift(
      "  DATABASE_URL_DIRECT bypasses a pooler, but DATABASE_URL, the pooler's own address, is missing. Without a pooler, set DATABASE_URL alone.",
    );
  }
  if (given.DATABASE_URL_READ) {
    halves.unshift(
      '  DATABASE_URL_READ names standbys, but DATABASE_URL, their primary, is missing. The private database has no standby.',
    );
  }
  return halves;
}

function readClientKeys(clientId?: string, clientSecret?: string) {
  return clientId && clientSecret ? { clientId, clientSecret } : null;
}

function readBackups({ BACKUPS, BACKUP_DIR, DATA_DIR }: Values) {
  if (BACKUPS === 'off') return null;
  return { folder: BACKUP_DIR ?? path.join(DATA_DIR, 'backups'), toS3: BACKUPS === 's3' };
}

function readBucket(values: Values): BucketPlace | null {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = values;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return null;
  return { endpoint, bucket, region, accessKeyId, secretAccessKey };
}

function readOidc(values: Values) {
  const { OIDC_ISSUER: issuer, OIDC_NAME: name } = values;
  const keys = readClientKeys(values.OIDC_CLIENT_ID, values.OIDC_CLIENT_SECRET);
  return issuer && keys ? { ...keys, issuer, name } : null;
}

function readHcaptcha(values: Values) {
  const { HCAPTCHA_SITEKEY: siteKey, HCAPTCHA_SECRET: secret } = values;
  return siteKey && secret ? { siteKey, secret, verifyUrl: values.HCAPTCHA_VERIFY_URL } : null;
}

function readRateLimit(entry: string): [string, { points: number; seconds: number }] {
  const [name = '', value = ''] = entry.split('=');
  const [points, seconds] = value.split('/').map(Number);
  return [name, { points: points ?? 0, seconds: seconds ?? 1 }];
}

function defaultHost(siteOrigin: string, port: number): string {
  const { protocol, hostname, port: originPort } = new URL(siteOrigin);
  const isLoopback =
    hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  const isVisitedDirectly = protocol === 'http:' && Number(originPort || 80) === port;
  return isVisitedDirectly && !isLoopback ? '0.0.0.0' : '127.0.0.1';
}
