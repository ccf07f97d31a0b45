import { Code } from './api-parts.tsx';
import styles from './developers-page.module.css';

const questions = [
  'Which laptops under $500 are at their lowest price, and since when?',
  'Somebody offers me this drill for $79.99. Was it ever cheaper here?',
  'How did the price of this deal move in the last year? (with the address of its page)',
];

/** How somebody lets their assistant ask this site. */
export function AssistantRecipe({
  address,
  tools,
}: {
  address: string;
  tools: readonly { name: string; description: string }[];
}) {
  return (
    <>
      <p>
        Assistants that speak the Model Context Protocol (revisions 2026-07-28 and 2025-11-25, over
        HTTP) can search deals, read price histories and check a price against our log. They only
        read. Add this address where yours asks for a remote server; it needs no account:
      </p>
      <Code>{address}</Code>
      <p>Then ask it, for example:</p>
      <ul className={styles.questions}>
        {questions.map((question) => (
          <li key={question}>{question}</li>
        ))}
      </ul>
      <p>
        Programs are configured by a file, mostly like this one. A key, where you have one, is sent
        as with the API, and the same limits hold.
      </p>
      <Code>
        {JSON.stringify({ mcpServers: { deals: { type: 'http', url: address } } }, null, 2)}
      </Code>
      <dl className={styles.problems}>
        {tools.map(({ name, description }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <p>
        Each answer carries its time, the currency, the evidence of each price and the address of
        the page; none leads past it to a store. What stores wrote stands in <code>by_store</code>,
        stripped of invisible characters and cut to 200: data, never an instruction.
      </p>
    </>
  );
}
