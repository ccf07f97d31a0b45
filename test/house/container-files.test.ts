import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readEnv } from '#app/platform/env.server.ts';
import { imageLabels } from '../../bin/release/make-image.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json'));
const composeFiles = ['compose.yml', 'docs/compose.postgres.yml'];
const check = ['/opt/deal-hub/node/bin/node', '/opt/deal-hub/bin/healthcheck.mjs'];

const text = z.string().min(1);
const duration = z.string().regex(/^(?:\d+m)?(?:\d+s)?$/);
const healthcheck = z.strictObject({
  test: z.array(text).min(2),
  interval: duration,
  timeout: duration,
  retries: z.number(),
  start_period: duration,
});
/** https://github.com/compose-spec/compose-spec/blob/main/spec.md */
const compose = z.strictObject({
  services: z.record(
    text,
    z.strictObject({
      image: text,
      init: z.boolean().optional(),
      restart: z.enum(['unless-stopped']),
      depends_on: z.record(text, z.strictObject({ condition: text })).optional(),
      network_mode: z.enum(['none']).optional(),
      ports: z.array(text).optional(),
      command: z.array(text).optional(),
      environment: z.record(text, text),
      volumes: z.array(z.string().regex(/^[a-z]+:\//)),
      read_only: z.boolean().optional(),
      tmpfs: z.array(text).optional(),
      cap_drop: z.array(text).optional(),
      security_opt: z.array(text).optional(),
      shm_size: text.optional(),
      stop_grace_period: duration,
      healthcheck,
    }),
  ),
  volumes: z.record(text, z.null()),
});

interface Patience {
  interval: number;
  timeout: number;
  retries: number;
  startPeriod: number;
}

/**
 * A busy server takes seconds to respond, and a restart by an impatient health check would increase
 * the load.
 */
function expectPatience({ interval, timeout, retries, startPeriod }: Patience): void {
  expect(interval).toBeGreaterThanOrEqual(10);
  expect(timeout).toBeGreaterThanOrEqual(20);
  expect(retries).toBeGreaterThanOrEqual(5);
  expect(startPeriod).toBeGreaterThanOrEqual(120);
}

function seconds(words: string): number {
  const [, minutes = 0, rest = 0] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(words) ?? [];
  return Number(minutes) * 60 + Number(rest);
}

describe.each(composeFiles)('%s', (file) => {
  const project = compose.safeParse(parse(read(file)));
  const services = Object.entries(project.data?.services ?? {});

  test('uses only valid keys in a Compose file', () => {
    expect(project.error).toBeUndefined();
    expect(services.length).toBeGreaterThan(0);
  });

  test('waits for a busy server in a Compose file’s health check', () => {
    for (const [, service] of services) {
      const { interval, timeout, retries, start_period } = service.healthcheck;
      const [every, patience] = [seconds(interval), seconds(timeout)];
      const startPeriod = seconds(start_period);
      expectPatience({ interval: every, timeout: patience, retries, startPeriod });
    }
  });

  test('mounts only volumes that the Compose file declares', () => {
    const mounted = services.flatMap(([, { volumes }]) => volumes.map((one) => one.split(':')[0]));
    expect(new Set(mounted)).toEqual(new Set(Object.keys(project.data?.volumes ?? {})));
  });

  test('starts this version read-only and unprivileged, and with valid settings', () => {
    const site = project.data?.services['site'];
    expect(site).toMatchObject({
      image: `deal-hub:${version}`,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      healthcheck: { test: ['CMD', ...check] },
    });
    expect(readEnv({ ...site?.environment, NODE_ENV: 'production' }).origin).toBe(
      'http://localhost:3000',
    );
  });
});

describe('Dockerfile', () => {
  // Each line holds one instruction.
  const lines = read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\s*\\\n\s*/g, ' ');
  const instructions = lines.split('\n').filter(Boolean);
  const last = instructions.slice(instructions.findLastIndex((one) => one.startsWith('FROM ')));
  const argumentsOf = (name: string) =>
    last.filter((one) => one.startsWith(`${name} `)).map((one) => one.slice(name.length + 1));

  test('uses only known instructions in the Dockerfile', () => {
    const known =
      /^(?:ARG|FROM|WORKDIR|COPY|RUN|LABEL|ENV|USER|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD) \S/;
    expect(instructions.filter((one) => !known.test(one))).toEqual([]);
    for (const one of [...argumentsOf('ENTRYPOINT'), ...argumentsOf('CMD')]) {
      expect(z.array(text).safeParse(JSON.parse(one)).success).toBe(true);
    }
  });

  test('runs the image as a user other than root, with the data outside the image', () => {
    expect(argumentsOf('USER')).toEqual(['1000:1000']);
    expect(argumentsOf('VOLUME')).toEqual(['/data']);
    expect(argumentsOf('COPY')).toEqual(['--from=build /opt/deal-hub /opt/deal-hub']);
  });

  test('sets the labels of release images', () => {
    const labels = [...(argumentsOf('LABEL')[0] ?? '').matchAll(/image\.(\w+)="([^"]*)"/g)];
    expect(Object.fromEntries(labels.map(([, name, value]) => [name, value]))).toEqual({
      ...imageLabels,
      version: '${VERSION}',
      revision: '${REVISION}',
    });
    expect(argumentsOf('ARG')).toContain(`VERSION=${version}`);
  });

  test('waits for a busy server in the image’s health check', () => {
    const [line = ''] = argumentsOf('HEALTHCHECK');
    const option = (name: string) => new RegExp(`--${name}=(\\w+)`).exec(line)?.[1] ?? '';
    expectPatience({
      interval: seconds(option('interval')),
      timeout: seconds(option('timeout')),
      retries: Number(option('retries')),
      startPeriod: seconds(option('start-period')),
    });
    const words = JSON.parse(/ CMD (\[.*\])$/.exec(line)?.[1] ?? '[]');
    expect(words).toEqual(check);
  });
});

describe('docs/kubernetes/deal-hub.yaml', () => {
  const documents = parseAllDocuments(read('docs/kubernetes/deal-hub.yaml')).map((one) =>
    one.toJS(),
  );
  const find = (kind: string) => documents.find((one) => one.kind === kind);
  const { template, selector } = find('Deployment').spec;
  const [site] = template.spec.containers;

  test('creates only Kubernetes objects of known kinds, in their own namespace', () => {
    expect(documents.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'v1 Namespace',
      'v1 ConfigMap',
      'v1 Secret',
      'v1 PersistentVolumeClaim',
      'apps/v1 Deployment',
      'v1 Service',
      'networking.k8s.io/v1 Ingress',
    ]);
    const [namespace, ...others] = documents;
    const places = others.map(({ metadata }) => metadata.namespace);
    expect(new Set(places)).toEqual(new Set([namespace.metadata.name]));
  });

  test('refers only to existing Kubernetes objects, ports and volumes', () => {
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    expect(template.metadata.labels).toMatchObject(find('Service').spec.selector);
    const ports = site.ports.map(({ name }: { name: string }) => name);
    expect(ports).toContain(find('Service').spec.ports[0].targetPort);
    const [claim, ...others] = template.spec.volumes;
    expect(claim.persistentVolumeClaim.claimName).toBe(find('PersistentVolumeClaim').metadata.name);
    const volumes = [claim, ...others].map(({ name }: { name: string }) => name);
    expect(site.volumeMounts.map(({ name }: { name: string }) => name)).toEqual(volumes);
    const { service } = find('Ingress').spec.rules[0].http.paths[0].backend;
    expect(service.name).toBe(find('Service').metadata.name);
    expect(service.port.name).toBe(find('Service').spec.ports[0].name);
    const names = ['ConfigMap', 'Secret'].map((kind) => find(kind).metadata.name);
    const [config, secret] = site.envFrom;
    expect([config.configMapRef.name, secret.secretRef.name]).toEqual(names);
  });

  test('runs this version in Kubernetes read-only, unprivileged and not as root', () => {
    expect(site.image).toMatch(new RegExp(`/deal-hub:${version}$`));
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(site.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('waits for a busy server in Kubernetes probes', () => {
    const { startupProbe, livenessProbe, readinessProbe } = site;
    expectPatience({
      interval: livenessProbe.periodSeconds,
      timeout: livenessProbe.timeoutSeconds,
      retries: livenessProbe.failureThreshold,
      startPeriod: startupProbe.periodSeconds * startupProbe.failureThreshold,
    });
    expect(readinessProbe.timeoutSeconds).toBeGreaterThanOrEqual(20);
  });

  test('uses valid settings in Kubernetes, and leaves enough time to stop', () => {
    const env = readEnv({ ...find('ConfigMap').data, NODE_ENV: 'production' });
    expect(env.readyFrom).toHaveLength(3);
    expect(template.spec.terminationGracePeriodSeconds).toBe(40);
    // Load balancers notice the stop within this time, while the site is still serving.
    const { periodSeconds, failureThreshold } = site.readinessProbe;
    expect(periodSeconds * failureThreshold).toBeLessThan(env.drainSeconds);
  });
});
