import type { ReactNode } from 'react';
import type { Names } from '#app/features/desk/name-things.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import type { AuditRow } from '#app/platform/audit/audit-queries.server.ts';
import { Link } from '#app/ui/link.tsx';
import styles from './audit-page.module.css';
import { nameKind } from './audit-words.ts';
import { fieldsOf, type Said } from './describe-change.ts';
import { describeEntry, type Part } from './describe-entry.ts';
import { entityHref } from './entity-href.ts';

interface Known {
  row: AuditRow;
  /** Current names of existing rows. */
  present: Names;
}

/** Shows who did what as a sentence. Several changes by one action are listed below. */
export function AuditSentence({ row, present }: Known) {
  const { timeZone } = useSite();
  const { sentence, changes, among, more } = describeEntry(row, timeZone);
  const known = { row, present };
  return (
    <div className={styles.entry}>
      <p>
        <AuditActor id={row.actor} present={present} />
        {Object.entries(sentence).map(([at, part]) => (
          <SentencePart key={at} part={part} {...known} />
        ))}
      </p>
      <Several>
        {changes.map(({ name, label, before, after }) => (
          <li key={name}>
            {label}
            <FromTo before={before} after={after} {...known} />
          </li>
        ))}
      </Several>
      {among.length === 0 ? null : (
        <ul className={styles.changes}>
          {among.map(({ id, before, after }) => (
            <li key={id}>
              <Thing said={{ kind: row.entity, id }} {...known} />
              <FromTo before={before} after={after} {...known} />
            </li>
          ))}
          {more > 0 ? <li>{`and ${more.toLocaleString('en-US')} more`}</li> : null}
        </ul>
      )}
    </div>
  );
}

const shownAtOnce = 4;

/** Shows a few changes directly, and many in a `details`. */
function Several({ children }: { children: ReactNode[] }) {
  if (children.length === 0) return null;
  const list = <ul className={styles.changes}>{children}</ul>;
  if (children.length <= shownAtOnce) return list;
  return (
    <details className={styles.more}>
      <summary>{`${children.length} fields`}</summary>
      {list}
    </details>
  );
}

function SentencePart({ part, ...known }: Known & { part: Part }) {
  if ('words' in part) return part.words.startsWith(',') ? part.words : ` ${part.words}`;
  return (
    <>
      {' '}
      <Thing
        said={'thing' in part ? part.thing : part.value}
        isValue={'value' in part}
        {...known}
      />
    </>
  );
}

function FromTo({ before, after, ...known }: Known & { before: Said | null; after: Said | null }) {
  if (before === null && after === null) return null;
  if (before === null) return <>: {<Thing said={after ?? ''} isValue {...known} />}</>;
  if (after === null) return <>: removed, was {<Thing said={before} isValue {...known} />}</>;
  return (
    <>
      {' from '}
      <Thing said={before} isValue {...known} />
      {' to '}
      <Thing said={after} isValue {...known} />
    </>
  );
}

/**
 * A value, or a row by name. Existing rows are linked; deleted ones are shown by their last name.
 */
function Thing({ said, row, present, isValue }: Known & { said: Said; isValue?: boolean }) {
  if (typeof said === 'string') return isValue ? <b className="strong">{said}</b> : said;
  const { kind, id } = said;
  if (kind === 'site' || kind === 'site_settings') {
    const words = kind === 'site' ? 'the site' : `the settings${id === '' ? '' : ` “${id}”`}`;
    return <Link to="/admin/settings">{words}</Link>;
  }
  const now = present[kind]?.[id];
  const name = now ?? row.names?.[kind]?.[id] ?? nameInEntry(row, said);
  const href = now === undefined && kind !== 'mail' ? null : entityHref(kind, id);
  const words = name === undefined ? `${nameKind(kind)} ${id.slice(0, 12)}` : <em>{name}</em>;
  return (
    <>
      {isNamedAlone(kind) || name === undefined ? null : `the ${nameKind(kind)} `}
      {href === null ? words : <Link to={href}>{words}</Link>}
      {name !== undefined && now === undefined ? (
        <span className="small"> (since deleted)</span>
      ) : null}
    </>
  );
}

/** Returns whether the name alone, such as a title or a URL, reveals the kind. */
function isNamedAlone(kind: string): boolean {
  return kind === 'deal' || kind === 'user' || kind === 'invitation';
}

/** Finds the name in the entry itself, since old entries store no separate names. */
function nameInEntry(
  { entity, entity_id, before }: AuditRow,
  { kind, id }: { kind: string; id: string },
) {
  if (entity !== kind || entity_id !== id) return undefined;
  const fields = fieldsOf(before);
  const name = fields.get('title') ?? fields.get('name');
  return typeof name === 'string' ? name : undefined;
}

const machines: Record<string, string> = {
  cli: 'Command line',
  demo: 'The demo shop',
  setup: 'The setup link',
  system: 'The site itself',
};

/** Names an actor without an account: a system process, or the pseudonym of an erased person. */
export function nameActor(actor: string, present: Names): string {
  return present['user']?.[actor] ?? machines[actor] ?? `Erased account ${actor.slice(0, 8)}`;
}

function AuditActor({ id, present }: { id: string; present: Names }) {
  const name = nameActor(id, present);
  return present['user']?.[id] === undefined ? name : <Link to={`/admin/users/${id}`}>{name}</Link>;
}
