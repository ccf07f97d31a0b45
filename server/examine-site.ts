import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type Env, readEnv } from '#app/platform/env.server.ts';
import {
  describeRights,
  examineDisk,
  examineDurability,
} from '#app/platform/examine-machine.server.ts';
import { type CheckResult, problem, fine, warning } from '#app/platform/check-result.ts';
import { createLog } from '#app/platform/log.server.ts';
import { listPolicyReports } from '#app/platform/policy-report-queries.server.ts';
import { unknownSettings } from '#app/platform/unknown-settings.server.ts';
import type { Db } from '#database/connect.ts';
import { newestMigration } from '#database/migrate.ts';
import { openMailEnv } from '#app/features/site-settings/read-mail-env.server.ts';
import { examineAddress } from '#server/examine-address.ts';
import { examineAlphabets } from '#server/examine-alphabets.ts';
import { examineDataVersion } from '#server/examine-data-version.ts';
import { examineBounces, examineMailDns } from '#server/examine-mail-dns.ts';
import { examineMailServer } from '#server/examine-mail-server.ts';
import { examinePictures } from '#server/examine-pictures.ts';
import { examineConnections, examineRole, examineSiteSecret } from '#server/examine-secrets.ts';
import { examineScaleOut } from '#server/scale-out/scale-out.ts';
import { newestApplied } from '#server/health.ts';
import {
  DeafDatabase,
  hasDatabase,
  type OpenDatabase,
  openDatabase,
  refuseDeafDatabase,
} from '#server/open-database.ts';
import { errorMessage } from '#database/error-code.ts';

const oldestNode = 24;
const mostSkewInSeconds = 2;

/** Runs all checks of this server and its site. A failed check is a result and never throws. */
export async function examineSite(source = process.env): Promise<CheckResult[]> {
  const results = [examineNode(), await examineRights()];
  let env: Env;
  try {
    env = readEnv(source);
  } catch (error) {
    const fix = 'Correct the named variables; docs/settings.md lists the allowed values.';
    return [...results, problem('configuration', errorMessage(error), fix)];
  }
  results.push(examineNames(unknownSettings()));
  results.push(examineOrigin(env), examineProxies(env), await examineDisk(env));
  results.push(...examineConnections(env), ...(await examineSurroundings(env)));
  if (!hasDatabase(env)) {
    const detail = `there is none in ${env.dataDir} yet`;
    results.push(warning('database', detail, '`deals start` creates it.'));
    return [...results, ...(await examineMail(env))];
  }
  let { mail } = env;
  try {
    results.push(...examineDataVersion(env));
    const log = createLog('silent', pino.destination(2));
    const database = await openDatabase(env, log, { forPages: true });
    try {
      await refuseDeafDatabase(database, env);
      results.push(fine('database', database.description));
      results.push(...(await examineDatabase(database, env)));
      mail = await openMailEnv({ db: database.db, env });
    } finally {
      await database.stop();
    }
  } catch (error) {
    results.push(problem('database', errorMessage(error), databaseFix(error, env)));
  }
  return [...results, ...(await examineMail({ mail }))];
}

/** Runs the checks that contact other servers in parallel, each for a few seconds at most. */
async function examineSurroundings(env: Env): Promise<CheckResult[]> {
  const found = await Promise.all([examineAddress(env.origin, new Date()), examineScaleOut(env)]);
  return found.flat();
}

async function examineMail(env: Pick<Env, 'mail'>): Promise<CheckResult[]> {
  const found = await Promise.all([examineMailDns(env), examineMailServer(env)]);
  return [examineBounces(env), ...found.flat()];
}

/** Reports unknown settings in `.env`. */
export function examineNames(unknown: readonly string[]): CheckResult {
  const name = 'configuration';
  if (unknown.length === 0) return fine(name, 'valid');
  return warning(name, unknown.join(' '), 'Correct or remove these lines of .env.');
}

function databaseFix(error: unknown, { databaseUrl }: Env): string {
  if (error instanceof DeafDatabase) return 'docs/operations.md, “A connection pooler”.';
  return databaseUrl
    ? 'Is the server of DATABASE_URL running, and may this server and user connect?'
    : 'See postgres.log in DATA_DIR.';
}

function examineNode(): CheckResult {
  const detail = process.versions.node;
  return Number(detail.split('.')[0]) >= oldestNode
    ? fine('Node', detail)
    : problem('Node', detail, 'Start the site with npm, which provides Node 24.');
}

async function examineRights(): Promise<CheckResult> {
  const program = path.join(import.meta.dirname, '..');
  const refusal = await access(program, constants.W_OK).catch((error: unknown) => error);
  return describeRights(process.getuid?.() ?? null, refusal === undefined);
}

function examineOrigin({ origin }: Env): CheckResult {
  const { protocol, hostname } = new URL(origin);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'https:') return fine('ORIGIN', origin);
  if (isLocal) {
    const fix = 'Set ORIGIN to the public address (https://…) so that visitors can open the site.';
    return warning('ORIGIN', `${origin}: only this server can open the site`, fix);
  }
  const fix =
    'Put a reverse proxy with a certificate in front of the site and set ORIGIN to https://…';
  return warning('ORIGIN', `${origin} is not encrypted`, fix);
}

function examineProxies({ origin, trustedProxies }: Env): CheckResult {
  const [name, named] = ['trusted proxies', trustedProxies.join(', ')];
  if (trustedProxies.some((range) => range.endsWith('/0'))) {
    const detail = `${named}: anyone can forge their address`;
    return problem(name, detail, 'Set TRUSTED_PROXIES to the addresses of your proxy only.');
  }
  if (origin.startsWith('https:') && trustedProxies.length === 0) {
    const fix = 'Set TRUSTED_PROXIES to the address of your proxy, such as 127.0.0.1.';
    return warning(name, 'none, so all visitors seem to come from the proxy', fix);
  }
  return fine(name, named || 'none');
}

async function examineDatabase({ db, pool }: OpenDatabase, env: Env): Promise<CheckResult[]> {
  const schema = await examineMigrations(db);
  const current =
    schema.state === 'ok'
      ? [
          await examineAlphabets(pool, env.databaseUrl === null),
          await examinePictures({ db, pool }, env),
          await examineSiteSecret(db),
          await examinePolicyReports(db),
        ]
      : [];
  return [
    await examineDurability(db),
    await examineRole(db),
    schema,
    ...current,
    await examineClock(db),
  ];
}

async function examineMigrations(db: Db): Promise<CheckResult> {
  const name = 'migrations';
  const [wanted, newest] = [await newestMigration(), await newestApplied(db)];
  if (newest === wanted) return fine(name, newest);
  const detail = `the database is at ${newest || 'nothing'}`;
  if (newest < wanted) return problem(name, `${detail}, not ${wanted}`, 'deals migrate');
  const fix = 'Start the newer version, or restore an older backup.';
  return problem(name, `${detail}, newer than this version`, fix);
}

/**
 * Counts policy reports. Reports alone are never a problem: browser extensions cause some, and
 * anyone can send them.
 */
async function examinePolicyReports(db: Db): Promise<CheckResult> {
  const { total } = await listPolicyReports(db, 1);
  const kinds = total === 1 ? 'kind' : 'kinds';
  const detail =
    total === 0 ? 'none' : `${total} ${kinds}, listed at /admin/settings?section=system`;
  return fine('policy reports', detail);
}

async function examineClock(db: Db): Promise<CheckResult> {
  const before = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const middle = (before + Date.now()) / 2;
  const skew = Math.abs((rows[0]?.now.getTime() ?? middle) - middle) / 1000;
  const detail = `the clock is ${skew.toFixed(1)} s off the database's`;
  return skew <= mostSkewInSeconds
    ? fine('clock', detail)
    : warning('clock', detail, 'Synchronize both servers by NTP.');
}
