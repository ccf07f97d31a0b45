import { z } from 'zod';
import {
  addressOf,
  isAddressRange,
  isHostName,
  list,
  oneOf,
  optionalNumber,
  origin,
  text,
  wholeNumber,
} from '#app/platform/setting-kinds.server.ts';
import { machineMemoryMb } from '#database/machine-memory.ts';
import { isRateLimitName } from '#app/platform/rate-limits.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';

const postgresAddress = addressOf(
  ['postgres:', 'postgresql:'],
  'like postgres://user:password@host:5432/database',
);
const clientIdText = text(/^\S{1,300}$/, 'a client id');
const clientSecretText = text(/^\S{1,300}$/, 'a client secret');

/**
 * Every setting from outside, in one place: text in, checked value out; an empty variable counts as unset. README.md's table
 * is made of the descriptions (`bin/config-table.ts`).
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
    .describe('A PostgreSQL server (15 to 18) of yours. Unset: a private one in `DATA_DIR`'),
  DATABASE_URL_DIRECT: postgresAddress
    .optional()
    .describe(
      'The server itself, where `DATABASE_URL` leads to a pooler such as pgbouncer: for jobs, commands and whatever else needs a connection of its own',
    ),
  DATABASE_POOL: optionalNumber(1, 500).describe(
    'Most connections to the database for pages. Default: 10, or 5 below 1 GB of memory',
  ),
  DATA_DIR: text(/^[^\0]+$/, 'a folder')
    .default('./data')
    .describe('Folder of the private database and of stored pictures. Back this up'),
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
  PICTURES_MB: wholeNumber(0, 1_048_576, 2048).describe(
    'Most room in `DATA_DIR` for copies of stores’ pictures, in MB; those that were not shown for longest make way. 0: no copies, so visitors’ browsers ask the stores',
  ),
  MAX_CONNECTIONS: wholeNumber(10, 100_000, 2000).describe('Most open connections of visitors'),
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

type Values = z.infer<typeof environmentSchema>;

/** In megabytes: a machine with less memory gets by with fewer connections. */
const smallMb = 1_000;

export type Env = ReturnType<typeof readEnv>;

export type MailEnv = ReturnType<typeof mailEnv>;

const secretNames = /_SECRET$|^DATABASE_URL|^SMTP_(?:URL|PASSWORD)$/;

/** Throws one error that lists everything that is wrong, so that it is put right in one go. */
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
  const memoryMb = values.MEMORY_MB ?? machineMemoryMb();
  return {
    nodeEnv: values.NODE_ENV,
    port: values.PORT,
    host: values.HOST ?? defaultHost(siteOrigin, values.PORT),
    role: values.ROLE,
    /** `https://deals.example`, without a slash at the end. */
    origin: siteOrigin,
    /** Null: the embedded server in `dataDir`. */
    databaseUrl: values.DATABASE_URL ?? null,
    /** Null: `databaseUrl` is no pooler of transactions. */
    databaseUrlDirect: values.DATABASE_URL_DIRECT ?? null,
    databasePool: values.DATABASE_POOL ?? (memoryMb < smallMb ? 5 : 10),
    dataDir: values.DATA_DIR,
    seed: values.SEED,
    logLevel: values.LOG_LEVEL,
    trustedProxies: values.TRUSTED_PROXIES,
    /** Lower case; without a port an entry covers every port. */
    allowedHosts: values.ALLOWED_HOSTS ?? [
      ...new Set([new URL(siteOrigin).hostname, 'localhost', '127.0.0.1', '[::1]']),
    ],
    pageCacheMb: values.PAGE_CACHE_MB ?? Math.min(64, Math.round(memoryMb / 16)),
    /** 0: stores' pictures are not copied. */
    picturesMb: values.PICTURES_MB,
    maxConnections: values.MAX_CONNECTIONS,
    /** 0: visitors are never turned away for the delay of the process. */
    overloadDelayMs: values.OVERLOAD_DELAY_MS,
    /** Limits on attempts that differ from the table's. */
    rateLimits: Object.fromEntries(values.RATE_LIMITS.map(readRateLimit)),
    /** Null: the proof of work. */
    hcaptcha: readHcaptcha(values),
    passwordMinLength: values.PASSWORD_MIN_LENGTH,
    /** Where people may sign in instead of here; null is not offered. */
    providers: {
      google: readClientKeys(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET),
      github: readClientKeys(values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET),
      oidc: readOidc(values),
    },
    linkChecks: values.LINK_CHECKS === 'on',
    cspReports: values.CSP_REPORTS === 'on',
    sessionMonitor: values.SESSION_MONITOR === 'on',
    /** Balancers that may ask whether the process is ready. */
    readyFrom: values.READY_FROM,
    /** 0: no balancer has to notice that the process stops. */
    drainSeconds: values.READY_FROM.length > 0 ? values.DRAIN_SECONDS : 0,
    shutdownSeconds: values.SHUTDOWN_SECONDS,
    mail: mailEnv(values, siteOrigin),
  };
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
    /** Null: no mail server, mails stay in the outbox. */
    smtp: url ? { url } : server || null,
    from: values.SMTP_FROM ?? `no-reply@${new URL(siteOrigin).hostname}`,
    dkim: domain && selector && privateKeyFile ? { domain, selector, privateKeyFile } : null,
  };
}

function describeIssue(issue: z.core.$ZodIssue, given: Record<string, string>): string {
  const name = String(issue.path[0]);
  const shown = secretNames.test(name) ? 'not usable' : JSON.stringify(given[name]);
  return `  ${name} is ${shown}: it must be ${issue.message}.`;
}

/** Half of a pair of keys would leave every form shut, or make a button that leads nowhere. */
const belongTogether: readonly (readonly (keyof typeof environmentSchema.shape)[])[] = [
  ['HCAPTCHA_SITEKEY', 'HCAPTCHA_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'],
];

function missingParts(given: Record<string, string>): string[] {
  const halves = belongTogether.flatMap((names) => {
    const missing = names.filter((name) => given[name] === undefined);
    if (missing.length === 0 || missing.length === names.length) return [];
    return `  ${names.join(', ')} belong together, but ${missing.join(', ')} is missing.`;
  });
  if (!given.DATABASE_URL_DIRECT || given.DATABASE_URL) return halves;
  return [
    '  DATABASE_URL_DIRECT is the way past a pooler, but DATABASE_URL, the way through it, is missing. Without a pooler set DATABASE_URL alone.',
    ...halves,
  ];
}

function readClientKeys(clientId?: string, clientSecret?: string) {
  return clientId && clientSecret ? { clientId, clientSecret } : null;
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

function isRateLimit(entry: string): boolean {
  const [, name = '', points, seconds] = /^([a-z-]+)=(\d{1,7})(?:\/(\d{1,6}))?$/i.exec(entry) ?? [];
  return isRateLimitName(name) && (Number(points) === 0 || Number(seconds) > 0);
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
