export interface FieldChange {
  name: string;
  /** Null where there was no such field. */
  before: string | null;
  after: string | null;
}

/** What an entry says that changed, field by field, in words. */
export function describeChange(before: unknown, after: unknown): FieldChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.map((name) => ({
    name,
    before: was.has(name) ? describeValue(was.get(name)) : null,
    after: is.has(name) ? describeValue(is.get(name)) : null,
  }));
}

function fieldsOf(value: unknown): Map<string, unknown> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object') return new Map([['value', value]]);
  return new Map(Object.entries(value));
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
