import type { DescribedOperation } from '#app/features/public-api/describe-openapi.ts';
import { ApiFields } from './api-fields.tsx';
import { Code } from './code.tsx';
import styles from './developers-page.module.css';

export function ApiOperationPart({
  operation,
  example,
}: {
  operation: DescribedOperation;
  example: string;
}) {
  const { id, path, summary, description, parameters, answer } = operation;
  return (
    <article id={id} className={styles.part}>
      <h3>{summary}</h3>
      <p>
        <code className={styles.path}>GET {path}</code>
      </p>
      <p>
        {description} Answers <a href={`#schema-${answer}`}>{answer}</a>.
      </p>
      {parameters.length > 0 ? <ApiFields fields={parameters} /> : null}
      <Code>{`curl '${example}'`}</Code>
    </article>
  );
}
