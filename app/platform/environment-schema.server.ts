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
 * Every setting from outside, in one place: text in, checked value out; an empty variable counts as unset. The table of
 * docs/settings.md is made of the descriptions (`bin/config-table.ts`).
 */
export const environmentSchema = z.object({
  NODE_ENV: oneOf(['production', 'development', 'test'], 'production').describe(
    'Set by the commands; `npm run dev` makes it `development`',
  ),
  PORT: wholeNumber(1, 65_535, 3000).describe('Port the site listens on'),
  HOST: text(/^[a-z0-9.:-]+$/i, 'an address or host name of this machine, such as 0.0.0.0')
    .optional()
    .describe(
      'Address to listen on. Default `127.0.0.1`: this machine only, for visitors through a reverse proxy. Where `ORIGIN` itself names another host over http on `PORT`, there is no proxy and the default is `0.0.0.0`',
    ),
  ROLE: oneOf(['all', 'web', 'worker'], 'all').describe(
    'What this process does: `web` answers visitors, `worker` sends mails, reads feeds and runs every other job, `all` does both. A worker answers only `/health/live` and `/health/ready`',
  ),
  ORIGIN: origin()
    .optional()
    .describe(
      'The address visitors type: scheme, host and port, no path. Default `http://localhost:PORT`. Links, cookies and the check of form posts go by it',
    ),
  DATABASE_URL: postgresAddress
    .optional()
    .describe(
      'A PostgreSQL server (15 to 18) of yours, or several (`host:port,host:port`), of which the one that can be written to is used. Unset: a private one in `DATA_DIR`',
    ),
  DATABASE_URL_DIRECT: postgresAddress
    .optional()
    .describe(
      'The server itself, where `DATABASE_URL` leads to a pooler such as pgbouncer: for jobs, commands and whatever else needs a connection of its own',
    ),
  DATABASE_URL_READ: words(
    (entry) => isAddressOf(postgresProtocols, entry),
    'addresses like postgres://user:password@host:5432/database, separated by commas',
  )
    .default([])
    .describe(
      'Standbys of `DATABASE_URL`, separated by commas. One that is less than two seconds behind answers those who are signed out and only read. Default: none',
    ),
  DATABASE_POOL: optionalNumber(1, 500).describe(
    'Most connections to the database for pages. Default: 10, or 5 below 1 GB of memory',
  ),
  DATA_DIR: text(/^[^\0]+$/, 'a folder')
    .default('./data')
    .describe('Folder of the private database and of stored pictures. Back this up'),
  BACKUPS: oneOf(['on', 's3', 'off'], 'on').describe(
    '`on` writes a backup each night to `BACKUP_DIR`, `s3` to the bucket; the site keeps seven days and four weeks of them, and restores one each week to try it',
  ),
  BACKUP_DIR: text(/^[^\0]+$/, 'a folder')
    .optional()
    .describe(
      'Folder of those backups, better on another disk; on the way to a bucket they lie there for a while. Default: `backups` in `DATA_DIR`',
    ),
  BACKUP_KEY: text(/^[^\p{Cc}]{16,500}$/u, 'at least 16 characters')
    .optional()
    .describe(
      'Seals every backup: without these words nobody reads one, you neither. Keep them apart from the backups',
    ),
  SEED: oneOf(['demo', 'none'], 'demo').describe(
    'What an empty database is filled with on the first start: a demo shop, or nothing',
  ),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info').describe(
    'Least important line that is written to the log',
  ),
  TRUSTED_PROXIES: list(isAddressRange, 'addresses or CIDR ranges, such as 127.0.0.1, 10.0.0.0/8')
    .default([])
    .describe(
      'Reverse proxies whose `X-Forwarded-For` is believed, separated by commas. Default: none',
    ),
  ALLOWED_HOSTS: list(isHostName, 'host names, such as deals.example, www.deals.example')
    .optional()
    .describe(
      'Hosts the site answers for, separated by commas. Default: the host of `ORIGIN`, `localhost`, `127.0.0.1` and `[::1]`',
    ),
  MEMORY_MB: optionalNumber(256, 1_048_576).describe(
    'Memory the site and its private database may plan with, in MB. Default: what the machine or its container has',
  ),
  PAGE_CACHE_MB: optionalNumber(0, 16_384).describe(
    'Memory for finished pages shared by signed-out visitors, in MB; 0 switches it off. Default: 64, or a sixteenth of the memory below 1 GB',
  ),
  SHARED_CACHES: words(
    (entry) => isAddressOf(['http:', 'https:'], entry),
    'http(s) addresses, separated by commas',
  )
    .default([])
    .describe(
      'Caches in front of the site, such as Varnish with `docs/varnish.vcl`: the address at which each is told what has changed, separated by commas. They keep pages that signed-out visitors share. Default: none',
    ),
  PICTURES_MB: wholeNumber(0, 1_048_576, 2048).describe(
    'Most room for copies of stores’ pictures, in MB; those that were not shown for longest make way. 0: no copies, so visitors’ browsers ask the stores',
  ),
  PICTURE_STORE: oneOf(pictureStores, 'database').describe(
    'Where stored pictures lie: `database` or `s3`, which every machine of the site reaches, or `folder`, `media` in `DATA_DIR`, which several machines must share. Pictures elsewhere are shown until `deals move-pictures` has moved them',
  ),
  S3_ENDPOINT: text(
    /^https?:\/\/[\w.-]+(?::\d+)?$/,
    'an address without a path, such as https://s3.eu-central-1.amazonaws.com',
  )
    .optional()
    .describe('The service of a bucket for pictures (`media/`) or backups (`backups/`), as S3 is'),
  S3_BUCKET: text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket')
    .optional()
    .describe('The bucket. It must be there, and nobody else needs to read it'),
  S3_REGION: text(/^[\w-]{1,60}$/, 'a region')
    .default('us-east-1')
    .describe('Its region; services other than AWS mostly take any'),
  S3_ACCESS_KEY_ID: text(/^\S{1,200}$/, 'an access key')
    .optional()
    .describe('The key that may read, write, list and delete in the bucket'),
  S3_SECRET_ACCESS_KEY: text(/^\S{1,200}$/, 'a secret key')
    .optional()
    .describe('The secret that belongs to it'),
  MAX_CONNECTIONS: wholeNumber(10, 100_000, 2000).describe(
    'Most open connections of visitors; one address of the internet has a tenth of them, at least 10',
  ),
  OVERLOAD_DELAY_MS: wholeNumber(0, 60_000, 500).describe(
    'Delay of the process, in milliseconds, above which visitors are turned away with 503; pages and files in memory are still served. 0: never',
  ),
  RATE_LIMITS: list(isRateLimit, 'limits, such as page=1200/60, search=0')
    .default([])
    .describe(
      'Changes of the limits on attempts in `app/platform/rate-limits.ts`: `name=times/seconds`, separated by commas; 0 times is no limit',
    ),
  HCAPTCHA_SITEKEY: text(/^[\w-]{1,100}$/, 'a site key of hCaptcha')
    .optional()
    .describe(
      'With `HCAPTCHA_SECRET`: forms are protected by hCaptcha. Default: a puzzle of our own that asks no outside host',
    ),
  HCAPTCHA_SECRET: text(/^\S{1,200}$/, 'a secret of hCaptcha')
    .optional()
    .describe('The secret that belongs to `HCAPTCHA_SITEKEY`'),
  HCAPTCHA_VERIFY_URL: text(/^https?:\/\/\S+$/, 'an http(s) address')
    .default('https://api.hcaptcha.com/siteverify')
    .describe('Where tokens of hCaptcha are verified'),
  PASSWORD_MIN_LENGTH: wholeNumber(6, 64, 6).describe(
    'Fewest characters of a password. Common and guessable ones are refused whatever their length',
  ),
  GOOGLE_CLIENT_ID: clientIdText
    .optional()
    .describe(
      'With `GOOGLE_CLIENT_SECRET`: people may sign in with Google. Enter `ORIGIN/sign-in/with/google/callback` there as redirect address',
    ),
  GOOGLE_CLIENT_SECRET: clientSecretText
    .optional()
    .describe('The secret that belongs to `GOOGLE_CLIENT_ID`'),
  GITHUB_CLIENT_ID: clientIdText
    .optional()
    .describe(
      'With `GITHUB_CLIENT_SECRET`: people may sign in with GitHub. The redirect address is `ORIGIN/sign-in/with/github/callback`',
    ),
  GITHUB_CLIENT_SECRET: clientSecretText
    .optional()
    .describe('The secret that belongs to `GITHUB_CLIENT_ID`'),
  OIDC_ISSUER: text(
    /^(?:https:\/\/\S+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/\S*)?)$/,
    'an https address, such as https://login.example/realms/shop',
  )
    .optional()
    .describe(
      'An OpenID Connect provider of yours, which may be in your own network. The redirect address is `ORIGIN/sign-in/with/oidc/callback`',
    ),
  OIDC_CLIENT_ID: clientIdText.optional().describe('The site’s id at `OIDC_ISSUER`'),
  OIDC_CLIENT_SECRET: clientSecretText
    .optional()
    .describe('The secret that belongs to `OIDC_CLIENT_ID`'),
  OIDC_NAME: text(/^[^\p{Cc}<>]{1,40}$/u, 'a name of at most 40 characters')
    .default('single sign-on')
    .describe('What the button calls the provider: "Continue with …"'),
  LINK_CHECKS: oneOf(['on', 'off'], 'on').describe(
    '`off` asks no merchant whether the addresses of deals still lead somewhere',
  ),
  CSP_REPORTS: oneOf(['on', 'off'], 'on').describe(
    '`off` asks no browser to report what the content policy stopped, and takes no such report',
  ),
  SESSION_MONITOR: oneOf(['on', 'off'], 'off').describe(
    '`on` shows the signed-in a panel with the state of their session, for debugging',
  ),
  READY_FROM: list(isAddressRange, 'addresses or CIDR ranges, such as 10.0.0.5, 10.0.1.0/24')
    .default([])
    .describe(
      'Load balancers on other machines or on this one that may ask `/health/ready`, separated by commas. Default: only this machine, under a local name',
    ),
  DRAIN_SECONDS: wholeNumber(0, 600, 8).describe(
    'With `READY_FROM`: how long the site goes on serving after SIGTERM while `/health/ready` says no, so that the balancers notice',
  ),
  SHUTDOWN_SECONDS: wholeNumber(0, 600, 10).describe(
    'How long a stop waits for requests that are being answered',
  ),
  METRICS_PORT: optionalNumber(1, 65_535).describe(
    'Port that tells Prometheus how the site does, at `/metrics`. Default: none',
  ),
  METRICS_HOST: text(/^[a-z0-9.:-]+$/i, 'an address or host name of this machine, such as 10.0.0.5')
    .default('127.0.0.1')
    .describe('Address of `METRICS_PORT`. Whoever reaches it may read the figures'),
  SMTP_URL: addressOf(['smtp:', 'smtps:'], 'like smtp://user:password@mail.example:587')
    .optional()
    .describe(
      'The mail server, in one line; `smtps://` for TLS from the start. Without a mail server mails stay at `/admin/outbox`, and `deals mail show` prints them with their links',
    ),
  SMTP_HOST: text(/^[a-z0-9.:-]+$/i, 'a host name or address')
    .optional()
    .describe('The mail server, when `SMTP_URL` is not set'),
  SMTP_PORT: wholeNumber(1, 65_535, 587).describe('Its port; 465 means TLS from the start'),
  SMTP_USER: text(/^[^\p{Cc}]{1,254}$/u, 'a user name')
    .optional()
    .describe('User at the mail server'),
  SMTP_PASSWORD: text(/^[^\p{Cc}]{1,1000}$/u, 'a password')
    .optional()
    .describe('Password at the mail server'),
  SMTP_FROM: z
    .string()
    .refine(
      (value) => readMailAddress(value) !== null,
      'one plain address, such as deals@shop.example',
    )
    .optional()
    .describe('Sender of all mails. Default: `no-reply@` and the host of `ORIGIN`'),
  BOUNCE_ADDRESS: z
    .string()
    .refine(
      (value) => (readMailAddress(value)?.indexOf('@') ?? 99) <= 30,
      'one plain address with at most 30 characters before the @, such as bounces@shop.example',
    )
    .optional()
    .describe(
      'Envelope sender of newsletters and alerts, with `+` and a token before the `@`; its mailbox takes such addresses',
    ),
  BOUNCE_MAILBOX: addressOf(['imaps:', 'imap:'], 'like imaps://user:password@mail.example/INBOX')
    .optional()
    .describe('Mailbox of `BOUNCE_ADDRESS`, read every five minutes'),
  BOUNCE_WEBHOOK_SECRET: text(
    /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
    'whsec_ and at least 24 bytes in base64, as of `openssl rand -base64 32`',
  )
    .optional()
    .describe('Key of bounces and complaints that are posted to `/webhooks/mail/json`'),
  SES_TOPIC_ARN: text(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+$/, 'the ARN of an SNS topic')
    .optional()
    .describe(
      'Topic of Amazon SNS by which SES posts bounces and complaints to `/webhooks/mail/ses`',
    ),
  SENDGRID_WEBHOOK_KEY: z
    .string()
    .refine(isPublicKey, 'the verification key of the signed Event Webhook')
    .optional()
    .describe('Public key of the events that SendGrid posts to `/webhooks/mail/sendgrid`'),
  MAILGUN_WEBHOOK_SECRET: text(/^\S{16,200}$/, 'the HTTP webhook signing key')
    .optional()
    .describe('Key of the events that Mailgun posts to `/webhooks/mail/mailgun`'),
  DKIM_DOMAIN: text(/^[a-z0-9.-]+$/i, 'a domain')
    .optional()
    .describe('Domain mails are signed for; set all three of DKIM or none'),
  DKIM_SELECTOR: text(/^[a-z0-9._-]+$/i, 'a selector such as mail2026')
    .optional()
    .describe('Selector of the DKIM key in DNS'),
  DKIM_PRIVATE_KEY: text(/^[^\0]+$/, 'a file')
    .optional()
    .describe('File with the private DKIM key in PEM form'),
});

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
