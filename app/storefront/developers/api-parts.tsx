import { apiKeyWords } from '#app/features/public-api/api-key-rights.ts';
import type {
  DescribedField,
  DescribedOperation,
} from '#app/features/public-api/describe-openapi.ts';
import styles from './developers-page.module.css';

export function ApiOperationPart({
  operation,
  example,
}: {
  operation: DescribedOperation;
  example: string;
}) {
  const { id, path, summary, description, needs, parameters, answer } = operation;
  return (
    <article id={id} className={styles.part}>
      <h3>{summary}</h3>
      <p>
        <code className="strong">GET {path}</code>
      </p>
      <p>
        {description} Responses <a href={`#schema-${answer}`}>{answer}</a>.
      </p>
      {needs.map((right) => (
        <p key={right}>
          Needs a <a href="#limits">key</a> with “{apiKeyWords[right].label}”.
        </p>
      ))}
      {parameters.length > 0 ? <ApiFields fields={parameters} of="parameters" /> : null}
      <Code>{`curl ${needs.length > 0 ? "-H 'Authorization: Bearer dealhub_…' " : ''}'${example}'`}</Code>
    </article>
  );
}

/** Parameters or fields as a collapsed list, since a table would not fit on a phone. */
export function ApiFields({
  fields,
  of,
}: {
  fields: DescribedField[];
  of: 'parameters' | 'fields';
}) {
  const noun = fields.length === 1 ? of.slice(0, -1) : of;
  return (
    <details className={styles.fold}>
      <summary>
        {fields.length} {noun}
      </summary>
      <ApiFieldList fields={fields} />
    </details>
  );
}

function ApiFieldList({ fields }: { fields: DescribedField[] }) {
  return (
    <dl className={styles.fields}>
      {fields.map(({ name, type, isRequired, description, schema }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {isRequired ? null : <span className={styles.optional}>optional</span>}
          </dt>
          <dd>
            <span className={`muted ${styles.type}`}>
              {schema ? <a href={`#schema-${schema}`}>{type}</a> : type}
            </span>
            {description ? (
              <>
                {' '}
                <span>{withCode(description)}</span>
              </>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Renders code in a text. The document marks names with backticks. */
function withCode(text: string) {
  return Object.entries(text.split('`')).map(([place, part]) =>
    Number(place) % 2 === 1 ? <code key={place}>{part}</code> : part,
  );
}

/** A code block to copy, wrapped so that nothing scrolls sideways. */
export function Code({ children }: { children: string }) {
  return (
    <pre className={styles.code}>
      <code>{children}</code>
    </pre>
  );
}
