import { describe, expect, it } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { environmentSchema } from '#app/platform/environment-schema.server.ts';
import { unknownSettings } from '#app/platform/unknown-settings.server.ts';

/** Returns the problems of these settings, one per line, or '' if they are valid. */
function problemsOf(source: Record<string, string>): string {
  try {
    readEnv(source);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the environment', () => {
  it('requires no environment variable', () => {
    expect(readEnv({})).toMatchObject({
      nodeEnv: 'production',
      port: 3000,
      host: '127.0.0.1',
      origin: 'http://localhost:3000',
      databaseUrl: null,
      dataDir: './data',
      seed: 'demo',
      trustedProxies: [],
      allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
      pageCacheMb: 64,
    });
  });

  it('treats an empty environment variable as unset', () => {
    expect(readEnv({ PORT: '', ORIGIN: ' ' }).origin).toBe('http://localhost:3000');
  });

  it('lists all invalid settings in one error, with the allowed values', () => {
    const read = () =>
      readEnv({
        PORT: '99999',
        ORIGIN: 'https://deals.example/shop',
        SEED: 'lots',
        TRUSTED_PROXIES: '10.0.0.0/8, nonsense',
        DATABASE_URL: 'mysql://root:hunter2@db/x',
      });
    let message = '';
    try {
      read();
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('PORT is "99999": it must be a whole number from 1 to 65535.');
    expect(message).toContain('ORIGIN is "https://deals.example/shop": it must be scheme, host');
    expect(message).toContain('SEED is "lots": it must be one of demo, none.');
    expect(message).toContain('TRUSTED_PROXIES is');
    expect(message).toContain('DATABASE_URL is not usable: it must be like postgres://');
    expect(message).not.toContain('hunter2');
    expect(message.split('\n')).toHaveLength(6);
  });

  it('listens on all IP addresses only if visitors connect without a proxy', () => {
    expect(readEnv({ ORIGIN: 'http://192.168.1.5:3000' }).host).toBe('0.0.0.0');
    expect(readEnv({ ORIGIN: 'https://deals.example' }).host).toBe('127.0.0.1');
    expect(readEnv({ ORIGIN: 'http://192.168.1.5:3000', HOST: '::1' }).host).toBe('::1');
  });

  it('normalizes the setting ORIGIN', () => {
    expect(readEnv({ ORIGIN: 'HTTPS://Deals.Example:443/' }).origin).toBe('https://deals.example');
  });

  it('accepts requests for the hosts listed in the settings', () => {
    const { allowedHosts } = readEnv({ ALLOWED_HOSTS: 'Deals.example, www.deals.example' });
    expect(allowedHosts).toEqual(['deals.example', 'www.deals.example']);
  });

  // Every setting that can be invalid, with values just outside the allowed range.
  const wrong: Record<string, string[]> = {
    NODE_ENV: ['prod', 'PRODUCTION'],
    PORT: ['0', '65536', '80.5', '-1', '1e3', '3000 ;', 'http'],
    HOST: ['http://x', '10.0.0.1/8', 'a b', 'a_b'],
    ORIGIN: [
      'deals.example',
      'ftp://deals.example',
      'https://deals.example/?a',
      'https://u@x.test',
    ],
    DATABASE_URL: ['db.example', 'http://db.example/x', 'mysql://db/x'],
    DATABASE_URL_DIRECT: ['db.example', 'http://db.example/x', 'mysql://db/x'],
    DATABASE_URL_READ: ['db.example', 'postgres://u:p@standby/shop, mysql://db/x'],
    DATABASE_POOL: ['0', '501'],
    SEED: ['yes'],
    BACKUPS: ['daily'],
    S3_ENDPOINT: ['s3.example', 'https://s3.example/bucket'],
    S3_BUCKET: ['A', 'my bucket'],
    S3_REGION: ['eu west'],
    S3_ACCESS_KEY_ID: ['a key'],
    S3_SECRET_ACCESS_KEY: ['a secret'],
    BACKUP_KEY: ['short'],
    ROLE: ['both', 'jobs'],
    LOG_LEVEL: ['verbose', 'trace'],
    CSP_REPORTS: ['yes'],
    TRUSTED_PROXIES: ['10.0.0.0/33', 'proxy.example', '010.0.0.1', '10.0.0.0/8, fe80::1%eth0'],
    ALLOWED_HOSTS: ['*.deals.example', 'https://deals.example', 'a/b', 'deals.example:123456'],
    FEED_PRIVATE_HOSTS: ['http://files.internal', 'a/b', '*.internal'],
    ALERT_PRIVATE_HOSTS: ['http://ntfy.internal', 'a/b', '*.internal'],
    MEMORY_MB: ['255', '1048577', '512MB'],
    PAGE_CACHE_MB: ['-1', '16385', '64MB'],
    SHARED_CACHES: ['varnish:6081', 'http://one.example, ftp://two.example'],
    PICTURE_STORE: ['attic'],
    PICTURES_MB: ['-1', '1048577', '2 GB'],
    MAX_CONNECTIONS: ['9', '100001'],
    OVERLOAD_DELAY_MS: ['60001', 'never'],
    RATE_LIMITS: ['page', 'page=5', 'page=5/0', 'pages=5/60', 'page=5/60/2', 'toString=1/1'],
    HCAPTCHA_SITEKEY: ['a b', 'x'.repeat(101)],
    HCAPTCHA_SECRET: ['a b'],
    HCAPTCHA_VERIFY_URL: ['api.hcaptcha.com', 'file:///etc/passwd'],
    PASSWORD_MIN_LENGTH: ['5', '65'],
    GOOGLE_CLIENT_ID: ['a b'],
    GOOGLE_CLIENT_SECRET: ['a b'],
    GITHUB_CLIENT_ID: ['a b'],
    GITHUB_CLIENT_SECRET: ['a b'],
    OIDC_ISSUER: ['login.example', 'http://login.example', 'http://127.0.0.1.login.example'],
    OIDC_CLIENT_ID: ['a b'],
    OIDC_CLIENT_SECRET: ['a b'],
    OIDC_NAME: ['<b>', 'x'.repeat(41)],
    LINK_CHECKS: ['true', '1'],
    SESSION_MONITOR: ['yes'],
    READY_FROM: ['balancer.example', '10.0.0.0/33', '10.0.0.256'],
    DRAIN_SECONDS: ['601', '-1'],
    SHUTDOWN_SECONDS: ['601', '-5'],
    METRICS_PORT: ['0', 'yes'],
    METRICS_HOST: ['a b', 'http://x'],
    SMTP_URL: ['mail.example:587', 'http://mail.example', 'smtp://[mail', 'smtp://:587'],
    SMTP_HOST: ['smtp://mail.example', 'a b'],
    SMTP_PORT: ['0', '70000'],
    SMTP_USER: ['u'.repeat(255)],
    SMTP_PASSWORD: ['p'.repeat(1001)],
    SMTP_FROM: ['Deals <deals@shop.example>', 'deals', 'a@shop.example, b@shop.example'],
    BOUNCE_ADDRESS: ['bounces', `${'b'.repeat(31)}@shop.example`],
    BOUNCE_MAILBOX: ['mail.example', 'pop3://u:p@mail.example'],
    BOUNCE_WEBHOOK_SECRET: ['secret', `whsec_${'!'.repeat(40)}`],
    SES_TOPIC_ARN: ['bounces', 'arn:aws:sqs:eu-west-1:123456789012:bounces'],
    SENDGRID_WEBHOOK_KEY: ['key', 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE='],
    MAILGUN_WEBHOOK_SECRET: ['short'],
    DKIM_DOMAIN: ['https://x', 'a b'],
    DKIM_SELECTOR: ['a b', 'a/b'],
  };
  /** Settings for which any text is a valid folder or file. */
  const takesAnything = ['BACKUP_DIR', 'DATA_DIR', 'DKIM_PRIVATE_KEY'];

  it('uses fewer connections and a smaller cache with little memory', () => {
    const planOf = (MEMORY_MB: string, more = {}) => {
      const { databasePool, pageCacheMb } = readEnv({ MEMORY_MB, ...more });
      return [databasePool, pageCacheMb];
    };
    expect(planOf('256')).toEqual([5, 16]);
    expect(planOf('512')).toEqual([5, 32]);
    expect(planOf('1024')).toEqual([10, 64]);
    expect(planOf('65536')).toEqual([10, 64]);
    expect(planOf('512', { DATABASE_POOL: '7', PAGE_CACHE_MB: '0' })).toEqual([7, 0]);
  });

  it('requires the primary’s URL when standbys are set', () => {
    const DATABASE_URL_READ = 'postgres://u:p@one/Shop, postgres://u:P@two/Shop';
    const problem = 'DATABASE_URL_READ names standbys, but DATABASE_URL, their primary';
    expect(() => readEnv({ DATABASE_URL_READ })).toThrow(problem);
    const { standbyUrls } = readEnv({ DATABASE_URL: 'postgres://u:p@db/Shop', DATABASE_URL_READ });
    expect(standbyUrls).toEqual(['postgres://u:p@one/Shop', 'postgres://u:P@two/Shop']);
  });

  it('rejects an invalid value of each setting and states the allowed values', () => {
    const names = Object.keys(environmentSchema.shape);
    expect([...Object.keys(wrong), ...takesAnything].toSorted()).toEqual(names.toSorted());
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        expect([name, value, problemsOf({ [name]: value })]).toEqual([
          name,
          value,
          expect.stringMatching(new RegExp(`^  ${name} is .+: it must be [^.].+\\.$`, 'm')),
        ]);
      }
    }
  });

  it('lists all invalid settings in one message, one per line', () => {
    const all = Object.fromEntries(
      Object.entries(wrong).map(([name, values]) => [name, values[0] ?? '']),
    );
    const lines = problemsOf(all).split('\n').slice(1);
    const about = lines.filter((line) => line.includes(': it must be '));
    expect(about.map((line) => line.trim().split(' ')[0] ?? '').toSorted()).toEqual(
      Object.keys(wrong).toSorted(),
    );
  });

  it('R41: does not repeat a secret in an error message, however invalid the secret is', () => {
    const secret = 'hunter2 with a space';
    const text = problemsOf({
      DATABASE_URL: `mysql://root:${secret}@db/x`,
      SMTP_URL: `http://me:${secret}@mail.example`,
      SMTP_PASSWORD: `${secret}\u0007`.repeat(60),
      HCAPTCHA_SECRET: secret,
      GOOGLE_CLIENT_SECRET: secret,
      GITHUB_CLIENT_SECRET: secret,
      OIDC_CLIENT_SECRET: secret,
    });
    expect(text.match(/is not usable: it must be/g)).toHaveLength(7);
    expect(text).not.toContain('hunter2');
  });

  it.each([
    ['HCAPTCHA_SITEKEY', 'HCAPTCHA_SECRET'],
    ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
    ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
    ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
    ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'],
    ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_ENDPOINT'],
  ])('rejects incomplete groups of settings: %s without %s', (...names) => {
    const value = (name: string) =>
      /ISSUER|ENDPOINT/.test(name) ? 'https://login.example' : 'abc';
    const whole = Object.fromEntries(names.map((name) => [name, value(name)]));
    expect(problemsOf(whole)).toBe('');
    for (const missing of names) {
      const { [missing]: _left, ...rest } = whole;
      const text = problemsOf(rest);
      for (const name of names) expect(text).toContain(name);
      expect(text).toMatch(new RegExp(`belong together, but .*\\b${missing} is missing\\.`));
    }
  });

  it('requires a bucket if pictures or backups are stored in one', () => {
    expect(problemsOf({ PICTURE_STORE: 's3' })).toContain('PICTURE_STORE is s3, but the bucket is');
    expect(problemsOf({ BACKUPS: 's3' })).toContain('BACKUPS is s3, but the bucket is missing');
  });

  it('lists incomplete groups together with invalid values', () => {
    const text = problemsOf({ PORT: 'x', GOOGLE_CLIENT_ID: 'abc', DKIM_DOMAIN: 'deals.example' });
    expect(text.split('\n')).toEqual([
      'The configuration is not valid:',
      expect.stringContaining('PORT is "x"'),
      expect.stringContaining('GOOGLE_CLIENT_SECRET is missing'),
      expect.stringContaining('DKIM_SELECTOR, DKIM_PRIVATE_KEY is missing'),
    ]);
  });

  it('changes rate limits by name, and only the named ones', () => {
    const { rateLimits } = readEnv({ RATE_LIMITS: 'page=1200/60, search=0, api-key=5/1' });
    expect(rateLimits).toEqual({
      page: { points: 1200, seconds: 60 },
      search: { points: 0, seconds: 1 },
      'api-key': { points: 5, seconds: 1 },
    });
  });

  it('reads the mail server from one URL or from parts, and sends from its own host', () => {
    const mail = (source: Record<string, string>) =>
      readEnv({ ORIGIN: 'https://deals.example:8443', ...source }).mail;
    expect(mail({})).toMatchObject({ smtp: null, from: 'no-reply@deals.example', dkim: null });
    expect(mail({ SMTP_HOST: 'mail.example' }).smtp).toEqual({
      host: 'mail.example',
      port: 587,
      user: null,
      password: null,
    });
    const both = { SMTP_URL: 'smtps://u:p@mail.example', SMTP_HOST: 'other.example' };
    expect(mail(both).smtp).toEqual({ url: 'smtps://u:p@mail.example' });
    expect(mail({ SMTP_FROM: 'shop@deals.example' }).from).toBe('shop@deals.example');
  });

  it('accepts requests for its own host and local names, whatever the origin’s port', () => {
    expect(readEnv({ ORIGIN: 'https://Deals.Example:8443' }).allowedHosts).toEqual([
      'deals.example',
      'localhost',
      '127.0.0.1',
      '[::1]',
    ]);
  });

  it('waits for load balancers only if some are listed', () => {
    expect(readEnv({ DRAIN_SECONDS: '30' })).toMatchObject({ readyFrom: [], drainSeconds: 0 });
    const balanced = { READY_FROM: '10.0.0.5, 10.1.0.0/16' };
    expect(readEnv(balanced)).toMatchObject({
      readyFrom: ['10.0.0.5', '10.1.0.0/16'],
      drainSeconds: 8,
    });
    expect(readEnv({ ...balanced, DRAIN_SECONDS: '0' }).drainSeconds).toBe(0);
  });
});

describe('names in .env', () => {
  it.each([
    ['SMPT_URL', 'SMTP_URL'],
    ['smtp_url', 'SMTP_URL'],
    ['ORIGN', 'ORIGIN'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['TRUSTED_PROXY', null],
    ['POSTGRES_PASSWORD', null],
    ['PRT', 'PORT'],
    ['A', null],
  ])('reports a name in .env that is not a setting: %s, near %s', (name, near) => {
    const hint = near === null ? 'docs/settings.md lists them.' : `Did you mean ${near}?`;
    expect(unknownSettings(`${name}=x`)).toEqual([
      `.env sets ${name}, which is not a setting. ${hint}`,
    ]);
  });

  it('accepts settings, comments and names for Node itself in .env', () => {
    const own = Object.keys(environmentSchema.shape).map((name) => `export ${name}="x"`);
    const others = ['# SMPT_URL=x', 'NODE_EXTRA_CA_CERTS=/ca.pem', 'TZ=UTC', 'TMPDIR=/var/tmp', ''];
    expect(unknownSettings([...own, ...others].join('\n'))).toEqual([]);
  });
});
