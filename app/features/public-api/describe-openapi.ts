import type { OpenApiDocument } from './openapi-document.ts';

/** The parts of a JSON Schema that the page shows. */
interface Json {
  [name: string]: unknown;
  properties?: Record<string, Json>;
  items?: Json;
  allOf?: Json[];
  anyOf?: Json[];
}

export type DescribedOperation = ReturnType<typeof describeOpenApi>['operations'][number];
export type DescribedField = ReturnType<typeof describeFields>[number];

/** Converts the OpenAPI document for the page, so that the page and the document cannot differ. */
export function describeOpenApi(document: OpenApiDocument) {
  return {
    operations: Object.entries(document.paths).map(([path, { get }]) => ({
      id: get.operationId,
      path,
      summary: get.summary,
      description: get.description,
      needs: get.security.flatMap(({ apiKey }) => apiKey ?? []),
      parameters: get.parameters.map((parameter) => ({
        name: parameter.name,
        type: typeInWords(parameter.schema),
        isRequired: parameter.required,
        description: parameter.description ?? '',
        schema: null,
      })),
      answer: nameOf(get.responses[200].content['application/json'].schema.$ref),
    })),
    schemas: Object.entries(document.components.schemas).map(([name, schema]) => ({
      name,
      description: textOf(schema.description),
      fields: describeFields(schema),
    })),
  };
}

/**
 * Describes the fields of a schema. The type is a text such as `whole number, 1 to 500`. `schema`
 * is the named schema, if any.
 */
function describeFields(schema: Json) {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(childrenOf(schema)).map(([name, field]) => ({
    name,
    type: typeInWords(field),
    isRequired: required.includes(name),
    description: textOf(field.description),
    schema: findReference(field),
  }));
}

/** Lists `{ deal: { id } }` as `deal` and `deal.id`, so that readers need not expand fields. */
function childrenOf(schema: Json, prefix = ''): Record<string, Json> {
  const inner = (field: Json) => (field.type === 'array' ? (field.items ?? {}) : field);
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      [prefix + name, field],
      ...Object.entries(childrenOf(inner(field), `${prefix}${name}.`)),
    ]),
  );
}

function typeInWords(schema: Json): string {
  if (typeof schema.$ref === 'string') return nameOf(schema.$ref);
  const either = schema.allOf ?? schema.anyOf;
  if (either) return either.map((one) => typeInWords(one)).join(' or ');
  if (Array.isArray(schema.enum)) return withDefault(schema.enum.join(', '), schema);
  if (schema.type === 'array') return `list of ${typeInWords(schema.items ?? {})}`;
  if (schema.format === 'date-time') return 'time (ISO 8601)';
  if (schema.format === 'uri') return 'address';
  if (schema.type === 'integer') return withDefault(`whole number${range(schema)}`, schema);
  return withDefault(textOf(schema.type), schema);
}

function range({ minimum, maximum }: Json): string {
  const [least, most] = [minimum, maximum].map((bound) =>
    typeof bound === 'number' && Math.abs(bound) < 2_147_483_647 ? bound : null,
  );
  if (least === null && most === null) return '';
  if (most === null) return ` from ${least}`;
  return least === null ? ` up to ${most}` : ` ${least} to ${most}`;
}

function withDefault(text: string, schema: Json): string {
  return schema.default === undefined
    ? text
    : `${text}; ${JSON.stringify(schema.default)} unless given`;
}

function findReference(schema: Json): string | null {
  if (typeof schema.$ref === 'string') return nameOf(schema.$ref);
  for (const one of [schema.items, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) {
    const found = one ? findReference(one) : null;
    if (found) return found;
  }
  return null;
}

function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
