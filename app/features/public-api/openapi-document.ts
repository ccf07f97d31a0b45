import { z } from 'zod';
import { apiMethods, apiProblems, keyProblems } from '#app/platform/api-problem.ts';
import { apiKeyRights, type WebhookEvent } from '#database/schema/program-tables.ts';
import { apiKeyWords } from './api-key-rights.ts';
import { apiOperations, type ApiOperation, apiRoot } from './api-operations.ts';
import { apiSchemas } from './api-schemas.ts';
import { webhookMessage } from './api-webhook-schemas.ts';

type Json = Record<string, unknown>;

interface OpenApiParameter {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  description: string | undefined;
  schema: Json;
}

export type OpenApiDocument = ReturnType<typeof writeOpenApi>;

const toSchema = { uri: (id: string) => `#/components/schemas/${id}`, io: 'input' } as const;

/** Writes `/openapi.json`, which `/developers` shows, from the same schemas that the routes use. */
export function writeOpenApi(
  site: { name: string; origin: string },
  limits: { anonymous: string; withKey: string },
) {
  return {
    openapi: '3.1.1',
    info: {
      title: `${site.name} API`,
      version: '1',
      description: `Reads what the pages show. ${limits.anonymous}; ${limits.withKey}.`,
    },
    servers: [{ url: site.origin + apiRoot }],
    externalDocs: { url: `${site.origin}/developers` },
    security: [{}, { apiKey: [] }],
    paths: Object.fromEntries(
      Object.values(apiOperations).map((operation) => [
        operation.path,
        { get: describeOperation(operation) },
      ]),
    ),
    webhooks: Object.fromEntries(
      Object.entries(webhookSummaries).map(([event, summary]) => [
        event,
        { post: describeWebhook(event, summary) },
      ]),
    ),
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: describeKeys() },
      },
      responses: Object.fromEntries([
        ...refusals.map((status) => [nameOf(status), describeRefusal(status)]),
        ...Object.values(keyProblems).map(({ status, name, title }) => [
          inCapitals(name),
          describeRefusal(status, title),
        ]),
      ]),
      headers: answerHeaders,
    },
  };
}

const webhookSummaries: Record<WebhookEvent, string> = {
  'deal.published': 'A deal became public.',
  'deal.price_changed': 'The price of a live deal changed.',
  'alert.fired': 'A price alert fired. Its owner is not revealed.',
};

function describeWebhook(event: string, summary: string) {
  return {
    operationId: event,
    summary,
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: referTo(webhookMessage) } },
      },
    },
    responses: {
      '2XX': { description: 'Accepted. Any other response is retried for 48 hours.' },
      410: { description: 'The endpoint wants no more events and is turned off.' },
    },
  };
}

function describeKeys(): string {
  const rights = apiKeyRights.map((right) => {
    const { label, hint } = apiKeyWords[right];
    return `\`${right}\` (${label}): ${hint}`;
  });
  return `An API key. Its permissions are chosen when it is created. ${rights.join(' ')}`;
}

function referTo(schema: z.ZodType): string {
  return toSchema.uri(apiSchemas.get(schema)?.id ?? '');
}

const refusals = [401, 404, 405, 406, 422, 429, 503] as const;

function describeOperation(operation: ApiOperation) {
  const { key, needs } = operation;
  const isKept = !needs && !operation.isPrivate;
  const path: OpenApiParameter[] = key
    ? [{ ...key, in: 'path', required: true, schema: { type: 'string' } }]
    : [];
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    // The required key permissions are listed as roles of the scheme, since there is no OAuth.
    security: needs ? [{ apiKey: [needs] }] : [{}, { apiKey: [] }],
    parameters: [...path, ...queryParameters(operation.query)],
    responses: {
      200: {
        description: 'Found',
        headers: Object.fromEntries(
          Object.keys(answerHeaders)
            .filter((name) => isKept || name !== 'ETag')
            .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
        content: {
          'application/json': {
            schema: { $ref: referTo(operation.answer) },
          },
        },
      },
      ...(!isKept
        ? {}
        : { 304: { description: 'Not changed since the response whose ETag was sent' } }),
      ...Object.fromEntries(
        refusals.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
      ),
      ...(needs
        ? Object.fromEntries(
            Object.values(keyProblems).map(({ status, name }) => [
              status,
              { $ref: `#/components/responses/${inCapitals(name)}` },
            ]),
          )
        : {}),
    },
  };
}

function queryParameters(query: z.ZodObject): OpenApiParameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = typeof property === 'object' ? property : {};
    return { name, in: 'query', required: required.includes(name), description, schema };
  });
}

function componentSchemas(): Record<string, Json> {
  const { schemas } = z.toJSONSchema(apiSchemas, toSchema);
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id: _id, $schema: _schema, ...schema }]) => [id, schema]),
  );
}

const answerHeaders = {
  ETag: header('Send it back as If-None-Match.'),
  Link: header('RFC 8288: first, prev, next and last page of a list.'),
  RateLimit: header('The remaining requests, and the seconds until the limit resets.'),
  'RateLimit-Policy': header('The limit: `q` requests in `w` seconds.'),
};

function header(description: string): Json {
  return { description, schema: { type: 'string' } };
}

function nameOf(status: number): string {
  return inCapitals(apiProblems[status]?.name ?? '');
}

function inCapitals(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function describeRefusal(status: number, title = apiProblems[status]?.title): Json {
  const waits = status === 429 || status === 503;
  return {
    description: title,
    headers: {
      ...(waits ? { 'Retry-After': header('In seconds.') } : {}),
      ...(status === 405 ? { Allow: header(apiMethods) } : {}),
    },
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  };
}
