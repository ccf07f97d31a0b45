import { once } from 'node:events';
import { createServer } from 'node:http';
import { startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { ownAddress, publicAddress, until } from './machines.ts';
import { watcherOf } from './shop.ts';
import { type Cluster, siteEnv } from './start-cluster.ts';
import type { Acknowledged } from './traffic.ts';

const smtpPort = 25;
const captchaPort = 8081;

export interface World {
  /** The site's settings for these services. */
  env: Record<string, string>;
  mails: { to: string; raw: string }[];
  /** The ids of received messages, one per delivery. */
  webhooks: string[];
}

/** Opens a mail server, a webhook receiver, and a captcha service that accepts everyone. */
export async function openWorld(): Promise<World> {
  const smtp = await startSmtpStandIn(undefined, { host: ownAddress, port: smtpPort });
  const webhooks: string[] = [];
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      webhooks.push(String(request.headers['webhook-id']));
      response.end();
    });
  });
  receiver.unref().listen(80, publicAddress);
  const vouching = createServer((_request, response) => response.end('{"success":true}'));
  vouching.unref().listen(captchaPort, ownAddress);
  await Promise.all([once(receiver, 'listening'), once(vouching, 'listening')]);
  const limits = ['page', 'search', 'search-burst', 'api-address', 'contact-address'];
  const env = {
    SMTP_HOST: ownAddress,
    SMTP_PORT: String(smtpPort),
    SMTP_FROM: 'shop@mail.example',
    READY_FROM: `${siteEnv['READY_FROM']},${ownAddress}`,
    LINK_CHECKS: 'off', // The site contacts no external host.
    PICTURES_MB: '0',
    BACKUPS: 'off',
    OVERLOAD_DELAY_MS: '0', // the server load is irrelevant here
    // all requests come from one address
    RATE_LIMITS: [...limits, 'contact-site', 'contact-recipient'].map((one) => `${one}=0`).join(),
    HCAPTCHA_SITEKEY: 'cluster', // our own captcha would take more time than the site itself
    HCAPTCHA_SECRET: 'cluster',
    HCAPTCHA_VERIFY_URL: `http://${ownAddress}:${captchaPort}`,
  };
  return { env, mails: smtp.accepted, webhooks };
}

export interface Loss {
  what: string;
  /** The number of messages acknowledged as stored or certain to be sent. */
  expected: number;
  lost: number;
  doubled: number;
  /**
   * The number of messages sent again with the same id, because it was unknown whether they had
   * arrived.
   */
  repeated: number;
}

/** Compares acknowledged changes with stored and delivered ones, once the outboxes are empty. */
export async function countLosses(
  cluster: Cluster,
  acknowledged: Acknowledged,
  world: World,
): Promise<Loss[]> {
  const { psql } = await cluster.primary();
  const ask = (sql: string) => psql(sql, 'deals');
  const rows = (sql: string) =>
    ask(sql)
      .split('\n')
      .filter((line) => line !== '');
  const waiting = `select (select count(*) from mail_outbox where state = 'queued')
                        + (select count(*) from webhook_deliveries where state = 'queued')`;
  await until('the end of the outboxes', () => ask(waiting) === '0', 300);

  const stored = (what: keyof Acknowledged, sql: string): Loss => {
    const count = countOf(rows(sql));
    const times = [...acknowledged[what]].map((one) => count.get(one) ?? 0);
    const lost = times.filter((one) => one === 0).length;
    const doubled = times.filter((one) => one > 1).length;
    return { what: `${what}s`, expected: acknowledged[what].size, lost, doubled, repeated: 0 };
  };
  const firedFor = rows(
    `select recipient from mail_outbox where kind = 'price-alert' and state = 'sent'`,
  );
  const due = new Set(firedFor);
  for (const one of acknowledged.price) {
    const [deal = 0, price = 0] = one.split(' ').map(Number);
    due.add(watcherOf(deal, price));
  }
  const idsOfMails = world.mails.map(({ to, raw }) => [to, idOf(raw)] as const);
  const known = new Set(rows('select message_id from webhook_deliveries'));
  const perPrice = `select deal_id || ' ' || price from webhook_deliveries where event = `;
  const told = new Set(rows(`${perPrice} 'deal.price_changed'`));
  const fired = new Set(rows(`${perPrice} 'alert.fired'`));
  const untold = [...acknowledged.price].filter((one) => !told.has(one) || !fired.has(one)).length;
  const arrived = countOf(world.webhooks);
  return [
    stored('message', 'select subject from contact_messages'),
    stored('favorite', `select user_id || ' ' || deal_id from user_favorites`),
    stored('price', `select deal_id || ' ' || sale_price from price_log`),
    countMails(due, idsOfMails),
    {
      what: 'webhooks',
      expected: known.size,
      lost: [...known].filter((id) => !arrived.has(id)).length + untold,
      // Deliveries of changes that the database does not contain.
      doubled: [...arrived.keys()].filter((id) => !known.has(id)).length,
      repeated: [...arrived.values()].filter((times) => times > 1).length,
    },
  ];
}

function countMails(due: ReadonlySet<string>, mails: readonly (readonly [string, string])[]): Loss {
  const ids = Map.groupBy(mails, ([to]) => to);
  const of = (to: string) => new Set(ids.get(to)?.map(([, id]) => id));
  const watchers = [...ids.keys()].filter((to) => to.startsWith('watcher-'));
  return {
    what: 'mails',
    expected: due.size,
    lost: [...due].filter((to) => !ids.has(to)).length,
    doubled: watchers.filter((to) => of(to).size > 1 || !due.has(to)).length,
    repeated: watchers.filter((to) => (ids.get(to)?.length ?? 0) > of(to).size).length,
  };
}

function idOf(raw: string): string {
  return /^message-id: *(\S+)/im.exec(raw)?.[1] ?? raw;
}

function countOf(values: readonly string[]): Map<string, number> {
  const count = new Map<string, number>();
  for (const value of values) count.set(value, (count.get(value) ?? 0) + 1);
  return count;
}
