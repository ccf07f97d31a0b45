import { sql } from 'kysely';
import type { Env } from '#app/platform/env.server.ts';
import type { Db } from '#database/connect.ts';
import { type Finding, warning, fine, problem } from '#app/platform/finding.ts';

const shortestPassword = 12;
const rootBytes = 32;

/** The passwords for the database and the mail server, and whether they travel encrypted. */
export function examineConnections({
  databaseUrl,
  databaseUrlDirect,
  standbyUrls,
  mail,
}: Pick<Env, 'databaseUrl' | 'databaseUrlDirect' | 'standbyUrls' | 'mail'>) {
  const urls = [
    ['DATABASE_URL', databaseUrl],
    ['DATABASE_URL_DIRECT', databaseUrlDirect],
    ...standbyUrls.map((url) => ['DATABASE_URL_READ', url] as const),
  ] as const;
  const findings = urls.flatMap(([name, url]) => (url ? [examineDatabaseUrl(name, url)] : []));
  const { smtp } = mail;
  const password = smtp && ('url' in smtp ? plainPassword(new URL(smtp.url)) : smtp.password);
  if (password && password.length < shortestPassword) {
    const says = 'the password of the mail server is short';
    findings.push(warning('secrets', says, 'Give it a longer one.'));
  }
  return findings;
}

function examineDatabaseUrl(variable: string, value: string): Finding {
  const url = new URL(value);
  const name = 'secrets';
  const password = plainPassword(url);
  const isNear = /^(?:|localhost|\[::1\]|127\..*)$/.test(url.hostname);
  const isEncrypted = /^(?:require|verify-ca|verify-full)$/.test(
    url.searchParams.get('sslmode') ?? '',
  );
  if (!isNear && !isEncrypted) {
    const says = `what goes to the database at ${url.hostname} is not encrypted`;
    const mend = `Add ?sslmode=verify-full to ${variable}, unless the network between is yours.`;
    return warning(name, says, mend);
  }
  if (password.length < shortestPassword && !(isNear && password === '')) {
    const says = `the password in ${variable} has fewer than ${shortestPassword} characters`;
    return warning(name, says, 'Give that user a longer one.');
  }
  return fine(name, 'the password of the database is long enough');
}

/** As it is typed. A lone percent sign, which addresses forgive, stands for itself. */
function plainPassword({ password }: URL): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

/** Whether SQL that somebody smuggles in could run programs on the database's machine. */
export async function examineRole(db: Db): Promise<Finding> {
  const name = 'database role';
  const { rows } = await sql<{ role: string; mayRunPrograms: boolean }>`
    select current_user as role,
           pg_has_role(current_user, 'pg_execute_server_program', 'usage') as "mayRunPrograms"`.execute(
    db,
  );
  const { role = '', mayRunPrograms = false } = rows[0] ?? {};
  return mayRunPrograms
    ? warning(
        name,
        `${role} may run programs on the machine of the database`,
        'Give the site a role that is no superuser, and make it the owner of the database.',
      )
    : fine(name, `${role}, which is no superuser`);
}

/** The random value that every signature of the site derives from. */
export async function examineSiteSecret(db: Db): Promise<Finding> {
  const name = 'site secret';
  const { rows } = await sql<{ value: string }>`
    select value from site_secrets where name = 'root'`.execute(db);
  const value = rows[0]?.value;
  if (value === undefined) return fine(name, 'is made when it is first needed');
  const bytes = Buffer.from(value, 'base64url');
  return bytes.length >= rootBytes && new Set(bytes).size > 8
    ? fine(name, `${bytes.length * 8} bits, made by this site`)
    : problem(
        name,
        'was put there by hand and can be guessed',
        'Stop the site and delete the row "root" of site_secrets: the site makes a new one. Older links in mails and open forms stop working.',
      );
}
