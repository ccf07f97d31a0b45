import type { AuditRow } from '#app/platform/audit/audit-queries.server.ts';
import {
  describeChange,
  type FieldChange,
  fieldsOf,
  type Formats,
  pointedAt,
  type Said,
  formatField,
} from './describe-change.ts';
import { nameKind, wordsOfAct } from './audit-words.ts';

type Entry = Pick<AuditRow, 'action' | 'entity' | 'entity_id' | 'before' | 'after' | 'currency'>;

/** A part of a sentence: plain text, a linked record, or a value. */
export type Part = { words: string } | { thing: Said } | { value: Said };

export interface DescribedEntry {
  sentence: Part[];
  /** The remaining changes. */
  changes: FieldChange[];
  /** The first targets of a bulk change, with their old and new values. */
  among: { id: string; before: Said | null; after: Said | null }[];
  /** The number of further targets. */
  more: number;
}

const shownOfMany = 5;

/** Describes an entry: a single change within the sentence, several below it. */
export function describeEntry(entry: Entry, timeZone: string): DescribedEntry {
  const formats = { currency: entry.currency, timeZone };
  const sides = sidesOf(entry);
  const said = new Set<string>();
  const sentence = wordsOfAct(entry.action).map((word): Part => {
    if (word === '{}') return { thing: thingOf(entry) };
    const field = /^\{(\w+)\}$/.exec(word)?.[1];
    if (field === undefined) return { words: word };
    said.add(field);
    const value = fieldsOf(sides.after).get(field) ?? fieldsOf(sides.before).get(field);
    return { value: formatField(field, value, formats) ?? 'something' };
  });
  const changes = describeChange(sides.before, sides.after, formats).filter(
    ({ name, before }) => !said.has(name) && !(before === null && isName(name)),
  );
  const [only] = changes;
  const [verb] = sentence;
  const isChanged =
    verb !== undefined &&
    'words' in verb &&
    verb.words.startsWith('changed') &&
    sentence.some((part) => 'thing' in part);
  if (only && changes.length === 1 && isChanged && entry.entity_id !== null) {
    return { sentence: sayChange(only, thingOf(entry)), changes: [], among: [], more: 0 };
  }
  const { among, more } = amongOf(entry, formats);
  return { sentence, changes, among, more };
}

function isName(name: string): boolean {
  return name === 'title' || name === 'name';
}

function sayChange({ label, before, after }: FieldChange, thing: Said): Part[] {
  const words = (text: string): Part => ({ words: text });
  const of = [words(`the ${label} of`), { thing }];
  if (before === null) return [words('set'), ...of, words('to'), { value: after ?? 'nothing' }];
  if (after === null) return [words('removed'), ...of, words(', which was'), { value: before }];
  return [words('changed'), ...of, words('from'), { value: before }, words('to'), { value: after }];
}

/** Returns all rows that an entry names, by kind and id. */
export function thingsOf(entry: Entry): (readonly [kind: string, id: string])[] {
  const own = entry.entity_id === null ? idsOf(entry).slice(0, shownOfMany) : [entry.entity_id];
  const pointed = [entry.before, entry.after].flatMap((side) =>
    [...fieldsOf(side)].flatMap(([name, value]) => {
      const to = pointedAt(name, value);
      return to ? [[to.kind, to.id] as const] : [];
    }),
  );
  return [...own.map((id) => [entry.entity, id] as const), ...pointed];
}

function thingOf(entry: Entry): Said {
  const { entity: kind, entity_id: id } = entry;
  if (id !== null) return { kind, id };
  if (kind === 'site' || kind === 'site_settings') return { kind, id: '' };
  const { length } = idsOf(entry);
  return length === 0
    ? nameKind(kind, 2)
    : `${length.toLocaleString('en-US')} ${nameKind(kind, length)}`;
}

/**
 * Returns both sides of an entry. If values are keyed by id, each side has only the entry's own
 * value.
 */
function sidesOf({ entity_id, before, after }: Entry) {
  const values = valuesOf(before, after);
  if (entity_id === null || !values) return { before, after };
  const { field, was, is } = values;
  return { before: { [field]: was(entity_id) }, after: { [field]: is(entity_id) } };
}

function amongOf(entry: Entry, formats: Formats) {
  if (entry.entity_id !== null) return { among: [], more: 0 };
  const ids = idsOf(entry);
  const values = valuesOf(entry.before, entry.after);
  const say = (value: unknown) => (values ? formatField(values.field, value, formats) : null);
  const among = ids.slice(0, shownOfMany).map((id) => ({
    id,
    before: say(values?.was(id)),
    after: say(values?.is(id)),
  }));
  return { among, more: ids.length - among.length };
}

function idsOf({ after }: Entry): string[] {
  const ids: unknown = isRecord(after) ? after['ids'] : null;
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** Reads an action on many targets: `{ values: { field: { id: value } } }` on both sides. */
function valuesOf(before: unknown, after: unknown) {
  const [was, is] = [before, after].map((side) => (isRecord(side) ? side['values'] : null));
  if (!isRecord(was) || !isRecord(is)) return null;
  const [field] = Object.keys(is);
  if (field === undefined) return null;
  const valueOf = (side: Record<string, unknown>) => (id: string) => {
    const byId = side[field];
    return isRecord(byId) ? byId[id] : undefined;
  };
  return { field, was: valueOf(was), is: valueOf(is) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
