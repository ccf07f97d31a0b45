import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseSync } from 'vite';
import { projectFiles } from '#test/import-graph.ts';

// The row types of raw statements are unchecked. If a property is renamed but its column is not,
// the value is undefined in every row, and the compiler does not notice.

type Node = Record<string, unknown>;

const root = path.resolve(import.meta.dirname, '../..');
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const nodesIn = (value: unknown): Node[] =>
  isNode(value)
    ? [...('type' in value ? [value] : []), ...Object.values(value).flatMap(nodesIn)]
    : [];
const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Returns the required and optional properties of a type, if this file declares them. */
function propertiesOf(type: unknown, declared: ReadonlyMap<string, unknown>): string[] {
  if (!isNode(type)) return [];
  if (Array.isArray(type['types'])) {
    return type['types'].flatMap((one) => propertiesOf(one, declared));
  }
  if (type['type'] === 'TSTypeReference' && isNode(type['typeName'])) {
    return propertiesOf(declared.get(text(type['typeName']['name'])), declared);
  }
  const members = type['members'] ?? type['body'];
  if (!Array.isArray(members)) return [];
  return members.flatMap((member: unknown) =>
    isNode(member) && member['type'] === 'TSPropertySignature' && isNode(member['key'])
      ? [text(member['key']['name'])]
      : [],
  );
}

/** Returns the declared row properties that a complete statement does not name. */
function unnamedColumns(file: string, source: string): string[] {
  const nodes = nodesIn(parseSync(file, source).program);
  const declared = new Map<string, unknown>();
  for (const { type, id, body, typeAnnotation } of nodes) {
    if (!isNode(id)) continue;
    if (type === 'TSInterfaceDeclaration') declared.set(text(id['name']), body);
    if (type === 'TSTypeAliasDeclaration') declared.set(text(id['name']), typeAnnotation);
  }
  return nodes.flatMap(({ type, tag, typeArguments, quasi }) => {
    if (type !== 'TaggedTemplateExpression' || !isNode(typeArguments) || !isNode(quasi)) return [];
    const { property } = isNode(tag) ? tag : {};
    // A single value may be JSON, whose properties are not columns.
    if (isNode(property) && /^(?:value|column)$/.test(text(property['name']))) return [];
    const texts = (quasi['quasis'] as Node[]).map(({ value }) => text((value as Node)['raw']));
    const statement = texts.join('?');
    // An interpolated part of the list, or `*`, may return more columns.
    const hasWholeList =
      texts.length === 1 || /^\W*(?:often\W*)?select\b.*\bfrom\b/s.test(texts[0] ?? '');
    if (!hasWholeList || /select\s+(?:\w+\.)?\*|\.\*/.test(statement)) return [];
    return propertiesOf((typeArguments['params'] as unknown[])[0], declared)
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(statement))
      .map((name) => `${file}: ${name} is not a column of: ${statement.trim().slice(0, 60)}`);
  });
}

const sources = projectFiles('*.ts', '*.tsx').filter(
  (file) => /^(?:app|server|database|bin)\//.test(file) && !/\.test\.tsx?$/.test(file),
);

test("selects every column that a query's row type declares", () => {
  const found = sources.flatMap((file) =>
    unnamedColumns(file, readFileSync(path.join(root, file), 'utf8')),
  );
  expect(found).toEqual([]);
});

test('reports a property whose column has another name', () => {
  const found = unnamedColumns(
    'a.ts',
    'interface Row { id: number; seen: Date }\n' +
      'const a = await sql<{ report: boolean }>`select true as tell`.execute(db);\n' +
      'const b = await ask(db).rows<Row & { at: Date }>`select id, at from t`;\n' +
      'const c = await ask(db).row<Row>`select * from t`;\n' +
      'const d = await ask(db).row<{ name: string }>`/* often */ select slug from t where id = ${id}`;\n' +
      'const e = await ask(db).value<{ name: string }>`select settings from t where id = ${id}`;',
  );
  expect(found).toEqual([
    'a.ts: report is not a column of: select true as tell',
    'a.ts: seen is not a column of: select id, at from t',
    'a.ts: name is not a column of: /* often */ select slug from t where id = ?',
  ]);
});
