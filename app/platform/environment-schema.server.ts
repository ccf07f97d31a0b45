import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import {
  addressOf,
  databaseAddress,
  isAddressOf,
  isAddressRange,
  isHostName,
  list,
  oneOf,
  optionalNumber,
  origin,
  text,
  words,
  wholeNumber,
} from '#app/platform/setting-kinds.server.ts';
import { pictureStores } from '#app/platform/picture-stores.ts';
import { isRateLimitName } from '#app/platform/rate-limits.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';

const postgresProtocols = ['postgres:', 'postgresql:'];
const postgresAddress = databaseAddress(
  postgresProtocols,
  'like postgres://user:password@host:5432/database',
);
const clientIdText = text(/^\S{1,300}$/, 'a client id');
const clientSecretText = text(/^\S{1,300}$/, 'a client secret');

/**
 * Every setting with its description and its check. An empty variable counts as unset.
 * docs/settings.md is generated from the descriptions (`bin/config-table.ts`).
 */
export const environmentSchema = z.object({
  NODE_ENV: oneOf(['production', 'development', 'test'], 'production').describe(
    'Set by the commands; `npm run dev` makes it `development`',
  ),
  PORT: wholeNumber(1, 65_535, 3000).describe('Port the site listens on'),
  HOST: text(/^[a-z0-9.:-]+$/i, 'an address or host name of this server, such as 0.0.0.0')
    .optional()
    .describe(
      'Address to listen on. Default `127.0.0.1`: this server only, for visitors through a reverse proxy. If `ORIGIN` itself names another host over http on `PORT`, there is no proxy and the default is `0.0.0.0`',
    ),
  ROLE: oneOf(['all', 'web', 'worker'], 'all').describe(
    'Role of this process: `web` serves visitors, `worker` sends emails, reads feeds and runs every other job, `all` does both. A worker responds only to `/health/live` and `/health/ready`',
  ),
  ORIGIN: origin()
    .optional()
    .describe(
      'The address visitors type: scheme, host and port, no path. Default `http://localhost:PORT`. Used for links, cookies and the check of form posts',
    ),
  DATABASE_URL: postgresAddress
    .optional()
    .describe(
      'Your own PostgreSQL server (15 to 18), or several (`host:port,host:port`), of which the writable one is used. Unset: a private one in `DATA_DIR`',
    ),
  DATABASE_URL_DIRECT: postgresAddress
    .optional()
    .describe(
      'Direct address of PostgreSQL if `DATABASE_URL` points to a pooler such as pgbouncer: for jobs, commands and everything else that needs a connection of its own',
    ),
  DATABASE_URL_READ: words(
    (entry) => isAddressOf(postgresProtocols, entry),
    'addresses like postgres://user:password@host:5432/database, separated by commas',
  )
    .default([])
    .describe(
      'Standbys of `DATABASE_URL`, separated by commas. One that lags less than two seconds serves signed-out visitors. Default: none',
    ),
  DATABASE_POOL: optionalNumber(1, 500).describe(
    'Maximum connections to the database for pages. Default: 10, or 5 below 1 GB of memory',
  ),
  DATA_DIR: text(/^[^\0]+$/, 'a folder')
    .default('./data')
    .describe('Folder of the private database and of stored pictures. Back this up'),
  BACKUPS: oneOf(['on', 's3', 'off'], 'on').describe(
    '`on` writes a backup each night to `BACKUP_DIR`, `s3` to the bucket. The site keeps seven daily and four weekly ones, and test-restores one each week',
  ),
  BACKUP_DIR: text(/^[^\0]+$/, 'a folder')
    .optional()
    .describe(
      'Folder of the nightly backups, preferably on another disk. Backups for a bucket are written here first. Default: `backups` in `DATA_DIR`',
    ),
  BACKUP_KEY: text(/^[^\p{Cc}]{16,500}$/u, 'at least 16 characters')
    .optional()
    .describe(
      'Passphrase that seals every backup. Without it a backup cannot be read, not even by you. Keep it apart from the backups',
    ),
  SEED: oneOf(['demo', 'none'], 'demo').describe(
    'Content of an empty database on the first start: a demo shop, or nothing',
  ),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info').describe(
    'Lowest level that is logged',
  ),
  TRUSTED_PROXIES: list(isAddressRange, 'addresses or CIDR ranges, such as 127.0.0.1, 10.0.0.0/8')
    .default([])
    .describe(
      'Trusted reverse proxies, whose `X-Forwarded-For` is used, separated by commas. Default: none',
    ),
  ALLOWED_HOSTS: list(isHostName, 'host names, such as deals.example, www.deals.example')
    .optional()
    .describe(
      'Host names of the site, separated by commas. Default: the host of `ORIGIN`, `localhost`, `127.0.0.1` and `[::1]`',
    ),
  FEED_PRIVATE_HOSTS: list(isHostName, 'host names, such as files.internal, 10.0.0.7:2222')
    .default([])
    .describe(
      'Hosts of your own network from which feeds and the pictures of moved posts may be fetched on any port, separated by commas. Default: none, only public addresses',
    ),
  ALERT_PRIVATE_HOSTS: list(isHostName, 'host names, such as ntfy.internal, 10.0.0.7:8080')
    .default([])
    .describe(
      'Hosts of your own network that people may name as the server of their alert channels, on any port, separated by commas. Default: none, only public addresses',
    ),
  MEMORY_MB: optionalNumber(256, 1_048_576).describe(
    'Memory for the site and its private database, in MB. Default: the memory of the server or its container',
  ),
  PAGE_CACHE_MB: optionalNumber(0, 16_384).describe(
    'Memory for cached pages of signed-out visitors, in MB; 0 disables the cache. Default: 64, or a sixteenth of the memory below 1 GB',
  ),
  SHARED_CACHES: words(
    (entry) => isAddressOf(['http:', 'https:'], entry),
    'http(s) addresses, separated by commas',
  )
    .default([])
    .describe(
      'Caches in front of the site, such as Varnish with `docs/varnish.vcl`: the addresses at which they receive invalidations, separated by commas. They cache the pages of signed-out visitors. Default: none',
    ),
  PICTURES_MB: wholeNumber(0, 1_048_576, 2048).describe(
    'Maximum space for copies of stores’ pictures, in MB; the least recently shown are deleted first. 0: no copies, so visitors’ browsers load them from the stores',
  ),
  PICTURE_STORE: oneOf(pictureStores, 'database').describe(
    'Storage of pictures: `database` or `s3`, which every server of the site reaches, or `folder`, `media` in `DATA_DIR`, which several servers must share. Pictures in another storage are shown until `deals move-pictures` has moved them',
  ),
  S3_ENDPOINT: text(
    /^https?:\/\/[\w.-]+(?::\d+)?$/,
    'an address without a path, such as https://s3.eu-central-1.amazonaws.com',
  )
    .optional()
    .describe('S3-compatible service of a bucket for pictures (`media/`) or backups (`backups/`)'),
  S3_BUCKET: text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket')
    .optional()
    .describe('The bucket. It must exist, and needs no public access'),
  S3_REGION: text(/^[\w-]{1,60}$/, 'a region')
    .default('us-east-1')
    .describe('Region of the bucket; most services other than AWS accept any'),
  S3_ACCESS_KEY_ID: text(/^\S{1,200}$/, 'an access key')
    .optional()
    .describe('Access key that may read, write, list and delete in the bucket'),
  S3_SECRET_ACCESS_KEY: text(/^\S{1,200}$/, 'a secret key')
    .optional()
    .describe('Secret of the access key'),
  MAX_CONNECTIONS: wholeNumber(10, 100_000, 2000).describe(
    'Maximum open connections of visitors; one IP address may have a tenth of them, at least 10',
  ),
  OVERLOAD_DELAY_MS: wholeNumber(0, 60_000, 500).describe(
    'Event loop delay, in milliseconds, above which visitors get a 503; pages and files in memory are still served. 0: never',
  ),
  RATE_LIMITS: list(isRateLimit, 'limits, such as page=1200/60, search=0')
    .default([])
    .describe(
      'Overrides of the rate limits in `app/platform/rate-limits.ts`: `name=times/seconds`, separated by commas; 0 times means no limit',
    ),
  HCAPTCHA_SITEKEY: text(/^[\w-]{1,100}$/, 'a site key of hCaptcha')
    .optional()
    .describe(
      'With `HCAPTCHA_SECRET`: forms are protected by hCaptcha. Default: a built-in puzzle that contacts no other host',
    ),
  HCAPTCHA_SECRET: text(/^\S{1,200}$/, 'a secret of hCaptcha')
    .optional()
    .describe('The secret of `HCAPTCHA_SITEKEY`'),
  HCAPTCHA_VERIFY_URL: text(/^https?:\/\/\S+$/, 'an http(s) address')
    .default('https://api.hcaptcha.com/siteverify')
    .describe('Verification address for hCaptcha tokens'),
  PASSWORD_MIN_LENGTH: wholeNumber(6, 64, 6).describe(
    'Minimum length of a password. Common and guessable ones are refused whatever their length',
  ),
  GOOGLE_CLIENT_ID: clientIdText
    .optional()
    .describe(
      'With `GOOGLE_CLIENT_SECRET`: sign-in with Google. Enter `ORIGIN/sign-in/with/google/callback` there as redirect address',
    ),
  GOOGLE_CLIENT_SECRET: clientSecretText.optional().describe('The secret of `GOOGLE_CLIENT_ID`'),
  GITHUB_CLIENT_ID: clientIdText
    .optional()
    .describe(
      'With `GITHUB_CLIENT_SECRET`: sign-in with GitHub. The redirect address is `ORIGIN/sign-in/with/github/callback`',
    ),
  GITHUB_CLIENT_SECRET: clientSecretText.optional().describe('The secret of `GITHUB_CLIENT_ID`'),
  OIDC_ISSUER: text(
    /^(?:https:\/\/\S+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/\S*)?)$/,
    'an https address, such as https://login.example/realms/shop',
  )
    .optional()
    .describe(
      'Your own OpenID Connect provider, which may be in your network. The redirect address is `ORIGIN/sign-in/with/oidc/callback`',
    ),
  OIDC_CLIENT_ID: clientIdText.optional().describe('The site’s id at `OIDC_ISSUER`'),
  OIDC_CLIENT_SECRET: clientSecretText.optional().describe('The secret of `OIDC_CLIENT_ID`'),
  OIDC_NAME: text(/^[^\p{Cc}<>]{1,40}$/u, 'a name of at most 40 characters')
    .default('single sign-on')
    .describe('Name of the provider on its button: "Continue with …"'),
  LINK_CHECKS: oneOf(['on', 'off'], 'on').describe(
    '`off` disables the check of deals’ links at the merchants',
  ),
  CSP_REPORTS: oneOf(['on', 'off'], 'on').describe(
    '`off` disables browsers’ reports of content policy violations',
  ),
  SESSION_MONITOR: oneOf(['on', 'off'], 'off').describe(
    '`on` shows signed-in users a panel with the state of their session, for debugging',
  ),
  READY_FROM: list(isAddressRange, 'addresses or CIDR ranges, such as 10.0.0.5, 10.0.1.0/24')
    .default([])
    .describe(
      'Load balancers that may ask `/health/ready`, separated by commas. Default: only this server, under a local name',
    ),
  DRAIN_SECONDS: wholeNumber(0, 600, 8).describe(
    'With `READY_FROM`: seconds to keep serving after SIGTERM while `/health/ready` fails, so that load balancers notice',
  ),
  SHUTDOWN_SECONDS: wholeNumber(0, 600, 10).describe(
    'Maximum time that a stop waits for open requests',
  ),
  METRICS_PORT: optionalNumber(1, 65_535).describe(
    'Port of the Prometheus metrics at `/metrics`. Default: none',
  ),
  METRICS_HOST: text(/^[a-z0-9.:-]+$/i, 'an address or host name of this server, such as 10.0.0.5')
    .default('127.0.0.1')
    .describe('Address of `METRICS_PORT`. Anyone who reaches it can read the metrics'),
  SMTP_URL: addressOf(['smtp:', 'smtps:'], 'like smtp://user:password@mail.example:587')
    .optional()
    .describe(
      'The mail server as one URL; `smtps://` for implicit TLS. It takes precedence over the one in the settings of the admin. Without a mail server, emails stay at `/admin/outbox`, and `deals mail show` prints them with their links',
    ),
  SMTP_HOST: text(/^[a-z0-9.:-]+$/i, 'a host name or address')
    .optional()
    .describe('The mail server, when `SMTP_URL` is not set'),
  SMTP_PORT: wholeNumber(1, 65_535, 587).describe(
    'Port of the mail server; 465 means implicit TLS',
  ),
  SMTP_USER: text(/^[^\p{Cc}]{1,254}$/u, 'a user name')
    .optional()
    .describe('User name for the mail server'),
  SMTP_PASSWORD: text(/^[^\p{Cc}]{1,1000}$/u, 'a password')
    .optional()
    .describe('Password for the mail server'),
  SMTP_FROM: z
    .string()
    .refine(
      (value) => readMailAddress(value) !== null,
      'one plain address, such as deals@shop.example',
    )
    .optional()
    .describe('Sender of all emails. Default: `no-reply@` and the host of `ORIGIN`'),
  BOUNCE_ADDRESS: z
    .string()
    .refine(
      (value) => (readMailAddress(value)?.indexOf('@') ?? 99) <= 30,
      'one plain address with at most 30 characters before the @, such as bounces@shop.example',
    )
    .optional()
    .describe(
      'Envelope sender of newsletters and alerts, with `+` and a token before the `@`; the inbox must accept such addresses',
    ),
  BOUNCE_MAILBOX: addressOf(['imaps:', 'imap:'], 'like imaps://user:password@mail.example/INBOX')
    .optional()
    .describe('Inbox of `BOUNCE_ADDRESS`, read every five minutes'),
  BOUNCE_WEBHOOK_SECRET: text(
    /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
    'whsec_ and at least 24 bytes in base64, as of `openssl rand -base64 32`',
  )
    .optional()
    .describe('Key for bounces and complaints that are posted to `/webhooks/mail/json`'),
  SES_TOPIC_ARN: text(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+$/, 'the ARN of an SNS topic')
    .optional()
    .describe(
      'Amazon SNS topic through which SES posts bounces and complaints to `/webhooks/mail/ses`',
    ),
  SENDGRID_WEBHOOK_KEY: z
    .string()
    .refine(isPublicKey, 'the verification key of the signed Event Webhook')
    .optional()
    .describe('Public key for the events that SendGrid posts to `/webhooks/mail/sendgrid`'),
  MAILGUN_WEBHOOK_SECRET: text(/^\S{16,200}$/, 'the HTTP webhook signing key')
    .optional()
    .describe('Key for the events that Mailgun posts to `/webhooks/mail/mailgun`'),
  DKIM_DOMAIN: text(/^[a-z0-9.-]+$/i, 'a domain')
    .optional()
    .describe('Domain that signs emails; set all three of DKIM or none'),
  DKIM_SELECTOR: text(/^[a-z0-9._-]+$/i, 'a selector such as mail2026')
    .optional()
    .describe('Selector of the DKIM key in DNS'),
  DKIM_PRIVATE_KEY: text(/^[^\0]+$/, 'a file')
    .optional()
    .describe('File with the private DKIM key in PEM form'),
});

/** Settings that few owners ever change. Documents list them last. */
export const advancedSettings: ReadonlySet<string> = new Set<keyof typeof environmentSchema.shape>([
  'NODE_ENV',
  'ROLE',
  'DATABASE_URL_DIRECT',
  'DATABASE_URL_READ',
  'DATABASE_POOL',
  'ALLOWED_HOSTS',
  'FEED_PRIVATE_HOSTS',
  'ALERT_PRIVATE_HOSTS',
  'MEMORY_MB',
  'PAGE_CACHE_MB',
  'SHARED_CACHES',
  'PICTURES_MB',
  'PICTURE_STORE',
  'MAX_CONNECTIONS',
  'OVERLOAD_DELAY_MS',
  'RATE_LIMITS',
  'HCAPTCHA_VERIFY_URL',
  'LINK_CHECKS',
  'CSP_REPORTS',
  'SESSION_MONITOR',
  'READY_FROM',
  'DRAIN_SECONDS',
  'SHUTDOWN_SECONDS',
  'METRICS_PORT',
  'METRICS_HOST',
]);

function isPublicKey(value: string): boolean {
  try {
    const key = Buffer.from(value, 'base64');
    return createPublicKey({ key, format: 'der', type: 'spki' }).asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}

function isRateLimit(entry: string): boolean {
  const [, name = '', points, seconds] = /^([a-z-]+)=(\d{1,7})(?:\/(\d{1,6}))?$/i.exec(entry) ?? [];
  return isRateLimitName(name) && (Number(points) === 0 || Number(seconds) > 0);
}
