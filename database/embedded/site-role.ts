// Gives the site's role its rights and the site's data.
// docs/decisions/096-connect-to-the-database-without-superuser-rights.md
import { newSuperuser, sitePassword, siteRole } from './local-client.ts';

/**
 * Creates the site's role if it is missing and sets its rights. The role becomes the owner of its
 * database and of everything in it that a superuser owns. Earlier releases created all of that as
 * superuser. Each step is one statement, so that a kill leaves no step half done. The caller must
 * hold the start lock.
 */
export async function prepareSiteRole(
  cluster: string,
  port: number,
  database = 'postgres',
): Promise<void> {
  const client = newSuperuser(cluster, port);
  await client.connect();
  try {
    const role = client.escapeIdentifier(siteRole);
    const found = await client.query('select from pg_roles where rolname = $1', [siteRole]);
    const verb = found.rowCount === 0 ? 'create' : 'alter';
    // Needed because test restores of backups create a database.
    await client.query(
      `${verb} role ${role} login nosuperuser createdb nocreaterole noreplication nobypassrls password ${client.escapeLiteral(sitePassword(cluster))}`,
    );
    if (database === 'postgres') await client.query(takeOver(siteRole));
    else {
      const made = await client.query('select from pg_database where datname = $1', [database]);
      const name = client.escapeIdentifier(database);
      if (made.rowCount === 0) await client.query(`create database ${name} owner ${role}`);
    }
  } finally {
    await client.end();
  }
}

/**
 * Returns a statement that changes owners. The superuser still owns members of extensions. Objects
 * of roles that the owner created are left alone, too.
 */
function takeOver(role: string): string {
  return `
do $$
declare
  one record;
  me oid := (select oid from pg_roles where rolname = current_user);
begin
  if (select datdba from pg_database where datname = current_database()) = me then
    execute format('alter database %I owner to %I', current_database(), '${role}');
  end if;
  for one in
    with spaces as (
      select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
    ),
    owned (class, id) as (
      select 'pg_namespace'::regclass, oid from pg_namespace
       where nspowner = me and oid in (select oid from spaces)
      union all
      select 'pg_class'::regclass, oid from pg_class
       where relowner = me and relnamespace in (select oid from spaces)
         and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      union all
      select 'pg_proc'::regclass, oid from pg_proc
       where proowner = me and pronamespace in (select oid from spaces)
      union all
      select 'pg_type'::regclass, oid from pg_type
       where typowner = me and typnamespace in (select oid from spaces)
      union all
      select 'pg_statistic_ext'::regclass, oid from pg_statistic_ext
       where stxowner = me and stxnamespace in (select oid from spaces)
      union all
      select 'pg_ts_config'::regclass, oid from pg_ts_config
       where cfgowner = me and cfgnamespace in (select oid from spaces)
      union all
      select 'pg_ts_dict'::regclass, oid from pg_ts_dict
       where dictowner = me and dictnamespace in (select oid from spaces)
    )
    select replace(i.type, 'statistics object', 'statistics') as type, i.identity
      from owned o, pg_identify_object(o.class, o.id, 0) i
     where not exists (
       -- Row types, array types and sequences of columns belong to the owner of their table.
       select from pg_depend d
        where d.classid = o.class and d.objid = o.id and d.objsubid = 0
          and (d.deptype in ('e', 'i') or d.deptype = 'a' and i.type = 'sequence'))
  loop
    execute format('alter %s %s owner to %I', one.type, one.identity, '${role}');
  end loop;
end $$`;
}
