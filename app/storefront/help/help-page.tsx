import type { Route } from './+types/help-page';
import { allowPageCache } from '#app/platform/app-context.server.ts';
import { readParameters } from '#app/platform/page-parameters.ts';
import { pagesTag, questionsOf, readSiteText } from '#app/features/pages/read-site-text.server.ts';
import { findAnswers, helpParameters } from '#app/storefront/reading/find-answers.server.ts';
import { QuestionList } from '#app/storefront/reading/question-list.tsx';
import { ReadingSearch } from '#app/storefront/reading/reading-search.tsx';
import { textMeta } from '#app/storefront/reading/text-meta.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { Icon, type IconName } from '#app/ui/icon.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import styles from './help-page.module.css';

/** Searches the topics and the FAQ on the server, so that the search works without JavaScript. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { search = '' } = readParameters(helpParameters, new URL(request.url).searchParams);
  const text = await readSiteText(context, 'help');
  const { title: heading, intro, head } = text;
  const topics = questionsOf(text);
  if (search === '') {
    allowPageCache(context, [pagesTag]);
    return { heading, intro, head, search, topics, found: [] };
  }
  const faq = questionsOf(await readSiteText(context, 'faq'));
  const everything = [...topics, ...faq].flatMap(({ entries }) => entries);
  return { heading, intro, head, search, topics: [], found: findAnswers(everything, search) };
}

export const meta = (page: Route.MetaArgs) => textMeta(page, '/help', page.loaderData?.head);

export default function HelpPage({ loaderData }: Route.ComponentProps) {
  const { heading, intro, search, topics, found } = loaderData;
  return (
    <div className={styles.page}>
      <header className={`stack start gap-2 ${styles.head}`}>
        <h1>{heading}</h1>
        {intro ? <p dangerouslySetInnerHTML={{ __html: intro }} /> : null}
        <ReadingSearch action="/help" label="Search the help" search={search} />
      </header>
      {search === '' ? (
        <div className={styles.topics}>
          <nav aria-label="Topics" className={styles.cards}>
            {topics.map(({ id, title, about }) => (
              <a key={id} href={`#${id}`} className={styles.card}>
                <span className={styles.icon}>
                  <Icon name={topicIcons[id] ?? 'tag'} size={22} />
                </span>
                <strong>{title}</strong>
                <span>{about}</span>
              </a>
            ))}
          </nav>
          {topics.map(({ id, title, entries }) => (
            <div key={id} id={id} className={styles.topic}>
              <h2>{title}</h2>
              <QuestionList questions={entries} />
            </div>
          ))}
        </div>
      ) : (
        <section aria-labelledby="found" className={styles.topic}>
          <div className={styles.found}>
            <div role="status">
              <h2 id="found">
                {found.length} {found.length === 1 ? 'answer' : 'answers'} for “{search}”
              </h2>
            </div>
            <a href="/help">All topics</a>
          </div>
          {found.length > 0 ? (
            <QuestionList questions={found} isOpen={found.length <= 3} />
          ) : (
            <MessagePanel
              icon="search"
              title="Nothing found"
              level={3}
              actions={<ButtonLink to="/contact">Ask us</ButtonLink>}
            >
              Try a shorter word, such as “alert” or “password”, or ask us directly.
            </MessagePanel>
          )}
        </section>
      )}
      <aside className={styles.next} aria-labelledby="more-help">
        <h2 id="more-help">Not what you were looking for?</h2>
        <div className={styles.actions}>
          <PrimaryLink to="/contact">Contact Us</PrimaryLink>
          <ButtonLink to="/faq">Read the FAQ</ButtonLink>
        </div>
      </aside>
    </div>
  );
}

const topicIcons: Record<string, IconName> = {
  'getting-started': 'tag',
  'favorites-alerts': 'heart',
  'account-settings': 'user',
  'price-alerts': 'bell',
  newsletter: 'mail',
};
