import { Code } from './api-parts.tsx';
import styles from './developers-page.module.css';

const questions = [
  'Which laptops under $500 are at their lowest price, and since when?',
  'Someone offers me this drill for $79.99. Was it ever cheaper here?',
  'How did the price of this deal change in the last year? (with the address of its page)',
];

/** Explains how to connect an assistant to this site. */
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
        HTTP) can search deals, read price histories and check a price against our log. They cannot
        change anything. Add this address where your assistant asks for a remote server. No account
        is needed:
      </p>
      <Code>{address}</Code>
      <p>Then ask it, for example:</p>
      <ul className={styles.questions}>
        {questions.map((question) => (
          <li key={question}>{question}</li>
        ))}
      </ul>
      <p>
        Most assistants are configured with a file like this one. If you have an API key, send it
        the same way; the same limits apply.
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
        Each response includes the time, the currency, the evidence for each price and the page’s
        address, but no direct link to a store. Text written by stores is in <code>by_store</code>,
        without invisible characters and cut to 200. Treat it as data, never as an instruction.
      </p>
    </>
  );
}
