import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

// Checks the files in .github, which GitHub reads.
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax and
// https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, '.github', file), 'utf8');
const filesOf = (folder: string) => readdirSync(path.join(root, '.github', folder)).toSorted();

const text = z.string().min(1);
const variables = z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), text);
const permissions = z.record(text, z.enum(['read', 'write', 'none']));
const named = { name: text, if: text.optional(), env: variables.optional() };
const step = z.union([
  z.strictObject({ ...named, run: text }),
  z.strictObject({
    ...named,
    name: text.optional(),
    uses: z.string().regex(/^[\w-]+\/[\w-]+@v\d+$/),
    with: z.record(text, text).optional(),
  }),
]);
const workflow = z.strictObject({
  name: text,
  on: z.strictObject({
    push: z.strictObject({
      branches: z.array(text).optional(),
      tags: z.array(text).optional(),
    }),
    pull_request: z.null().optional(),
    workflow_dispatch: z.null().optional(),
  }),
  permissions,
  concurrency: z
    .strictObject({ group: text, 'cancel-in-progress': z.boolean().optional() })
    .optional(),
  jobs: z.record(
    z.string().regex(/^[a-z-]+$/),
    z.strictObject({
      'runs-on': z.string().regex(/^ubuntu-\d\d\.04$/),
      container: z.strictObject({ image: text, options: text.optional() }),
      'timeout-minutes': z.number().int().max(360),
      steps: z.array(step).min(1),
    }),
  ),
});

const field = { id: z.string().regex(/^[\w-]+$/) };
const required = z.strictObject({ required: z.boolean() }).optional();
const about = { label: text, description: text.optional() };
const typed = { ...about, placeholder: text.optional(), value: text.optional() };
const element = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: text }) }),
  z.strictObject({
    ...field,
    type: z.literal('input'),
    attributes: z.strictObject(typed),
    validations: required,
  }),
  z.strictObject({
    ...field,
    type: z.literal('textarea'),
    attributes: z.strictObject({ ...typed, render: text.optional() }),
    validations: required,
  }),
  z.strictObject({
    ...field,
    type: z.literal('dropdown'),
    attributes: z.strictObject({ ...about, options: z.array(text).min(2) }),
    validations: required,
  }),
  z.strictObject({
    ...field,
    type: z.literal('checkboxes'),
    attributes: z.strictObject({
      ...about,
      options: z.array(z.strictObject({ label: text, required: z.boolean() })).min(1),
    }),
  }),
]);
const form = z.strictObject({
  name: text,
  description: text,
  labels: z.array(text),
  body: z.array(element).min(1),
});

describe('.github', () => {
  test.each(filesOf('workflows'))('uses only valid keys in the workflow workflows/%s', (file) => {
    expect(workflow.safeParse(parse(read(`workflows/${file}`))).error).toBeUndefined();
  });

  test.each(filesOf('workflows'))('runs valid scripts in workflows/%s', (file) => {
    const { jobs } = workflow.parse(parse(read(`workflows/${file}`)));
    const scripts = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap((one) => ('run' in one ? [one.run] : [])),
    );
    for (const script of scripts) {
      // Expressions belong in `env`, because inside a script, a branch name would be executed.
      expect(script).not.toContain('${{');
      const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    }
  });

  test('calls the project’s commands in workflows', () => {
    expect(read('workflows/ci.yml')).toContain('run: bash .ci/run\n');
    expect(existsSync(path.join(root, '.ci/run'))).toBe(true);
    const release = read('workflows/release.yml');
    expect(release).toContain('run: npm run release -- --arch x64,arm64\n');
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(scripts).toHaveProperty('release');
  });

  const forms = filesOf('ISSUE_TEMPLATE').filter((file) => file !== 'config.yml');
  test.each(forms)('uses only valid keys in the form ISSUE_TEMPLATE/%s', (file) => {
    const { data, error } = form.safeParse(parse(read(`ISSUE_TEMPLATE/${file}`)));
    expect(error).toBeUndefined();
    const fields = data?.body.filter((one) => one.type !== 'markdown') ?? [];
    const ids = fields.map((one) => one.id);
    const labels = fields.map((one) => one.attributes.label);
    expect([new Set(ids).size, new Set(labels).size]).toEqual([ids.length, ids.length]);
    expect(fields.length).toBeGreaterThan(0);
  });

  test('uses only valid keys in ISSUE_TEMPLATE/config.yml', () => {
    const config = z.strictObject({ blank_issues_enabled: z.boolean() });
    expect(config.safeParse(parse(read('ISSUE_TEMPLATE/config.yml'))).error).toBeUndefined();
  });

  test('names only existing files and commands in the templates', () => {
    const templates = [
      ...forms.map((file) => `ISSUE_TEMPLATE/${file}`),
      'PULL_REQUEST_TEMPLATE.md',
    ];
    const missing = templates.flatMap((file) =>
      [...read(file).matchAll(/\b([A-Z]{6,}\.md|test\/[\w./]+|\.ci\/run|docs\/)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !existsSync(path.join(root, name))),
    );
    expect(missing).toEqual([]);
  });
});
