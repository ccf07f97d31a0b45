import type { Route } from './+types/developers-page';
import { apiKeyWords } from '#app/features/public-api/api-key-rights.ts';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import { describeLimits } from '#app/features/public-api/describe-limits.server.ts';
import { describeOpenApi } from '#app/features/public-api/describe-openapi.ts';
import { mcpToolWords } from '#app/features/public-api/mcp-tool-words.ts';
import { writeOpenApi } from '#app/features/public-api/openapi-document.ts';
import { publicSite } from '#app/features/site-settings/public-site.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { apiProblems, keyProblems } from '#app/platform/api-problem.ts';
import { mcpPath } from '#app/platform/mcp-path.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { apiKeyRights } from '#database/schema/program-tables.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { ApiFields, ApiOperationPart, Code } from './api-parts.tsx';
import { AssistantRecipe } from './assistant-recipe.tsx';
import { WebhookRecipe } from './webhook-recipe.tsx';
import styles from './developers-page.module.css';

/** Reads the operations from the OpenAPI document, so that page and document cannot differ. */
export async function loader({ context }: Route.LoaderArgs) {
  const services = appServices(context);
  const site = publicSite(await readSiteSettings(services.db), services.env.origin);
  const limits = describeLimits(services);
  const document = writeOpenApi(site, limits);
  const examples = Object.fromEntries(
    Object.values(apiOperations).map(({ id, example }) => [id, example]),
  );
  allowPageCache(context, []);
  return {
    ...describeOpenApi(document),
    examples,
    limits,
    mcp: site.origin + mcpPath,
    root: document.servers[0]?.url ?? '',
    events: Object.entries(document.webhooks).map(([name, { post }]) => ({
      name,
      summary: post.summary,
    })),
    problems: [
      ...Object.entries(apiProblems).map(([status, problem]) => ({ ...problem, status })),
      ...Object.values(keyProblems).map((problem) => ({ ...problem, status: `${problem.status}` })),
    ].toSorted((a, b) => a.status.localeCompare(b.status)),
  };
}

export const meta = fixedMeta({
  path: '/developers',
  title: 'For developers',
  description:
    'A free API of deals, stores and price histories, described by OpenAPI, a server for assistants, and signed webhooks.',
});

export default function DevelopersPage({ loaderData }: Route.ComponentProps) {
  const { operations, schemas, examples, limits, root, events, problems } = loaderData;
  return (
    <>
      <PageHeading title="For developers">
        Read deals with their price evidence, and get notified of changes. Free, without a sign-up.
      </PageHeading>
      <nav aria-label="On this page" className={styles.contents}>
        <a href="#start">Start</a>
        <a href="#limits">Limits and keys</a>
        <a href="#operations">Operations</a>
        <a href="#answers">Responses</a>
        <a href="#refusals">Errors</a>
        <a href="#assistants">Assistants</a>
        <a href="#webhooks">Webhooks</a>
        <a href="/openapi.json">openapi.json</a>
      </nav>

      <section id="start" className={styles.section}>
        <h2>Start</h2>
        <p>
          Everything is a GET below <code>{root}</code> and returns JSON. Any website may call it;
          cookies are not used.
        </p>
        <Code>{`curl '${root}/deals?type=coupon&sort=discount'`}</Code>
        <p>
          Money is a whole number of minor units with its currency: 1999 USD is $19.99. Times are
          ISO 8601 in UTC. Lists come in pages: <code>page.count</code> and the Link header give the
          number of pages. Only public data is returned: no inactive deals, and no prices that a
          store’s program hides.
        </p>
        <p>
          Every response has an ETag. Send it back as If-None-Match, and an unchanged response is a
          304 without a body. Credit this site: link to the deal’s <code>url</code>, and send buyers
          through its <code>out_url</code>.
        </p>
      </section>

      <section id="limits" className={styles.section}>
        <h2>Limits and keys</h2>
        <p>
          {limits.anonymous}, {limits.withKey}. The headers RateLimit and RateLimit-Policy show the
          remaining requests; beyond the limit, the response is 429 with Retry-After. Searches
          without a key also count against the limits of the search box. The site’s owner creates
          keys. Send the key in one header. It has the permissions chosen when it was created:
        </p>
        <dl className={styles.problems}>
          {apiKeyRights.map((right) => (
            <div key={right}>
              <dt>{apiKeyWords[right].label}</dt>
              <dd>{apiKeyWords[right].hint}</dd>
            </div>
          ))}
        </dl>
        <Code>{`curl -H 'Authorization: Bearer dealhub_…' '${root}/deals'`}</Code>
      </section>

      <section id="operations" className={styles.section}>
        <h2>Operations</h2>
        {operations.map((operation) => (
          <ApiOperationPart
            key={operation.id}
            operation={operation}
            example={root + (examples[operation.id] ?? '')}
          />
        ))}
      </section>

      <section id="answers" className={styles.section}>
        <h2>Responses</h2>
        {schemas.map(({ name, description, fields }) => (
          <article key={name} id={`schema-${name}`} className={styles.part}>
            <h3>{name}</h3>
            {description ? <p>{description}</p> : null}
            <ApiFields fields={fields} of="fields" />
          </article>
        ))}
      </section>

      <section id="refusals" className={styles.section}>
        <h2>Errors</h2>
        <p>
          Errors are <code>application/problem+json</code> (RFC 9457). Its <code>type</code> links
          here, its <code>reference</code> identifies the entry in our log.
        </p>
        <dl className={styles.problems}>
          {problems.map(({ status, name, title, detail }) => (
            <div key={name} id={name}>
              <dt>
                {status} {title}
              </dt>
              <dd>{detail}</dd>
            </div>
          ))}
        </dl>
      </section>

      <section id="assistants" className={styles.section}>
        <h2>Connect an assistant</h2>
        <AssistantRecipe address={loaderData.mcp} tools={mcpToolWords} />
      </section>

      <section id="webhooks" className={styles.section}>
        <h2>Webhooks</h2>
        <WebhookRecipe events={events} />
      </section>
    </>
  );
}
