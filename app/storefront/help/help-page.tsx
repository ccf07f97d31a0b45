import type { Route } from './+types/help-page';
import { allowPageCache } from '#app/platform/app-context.server.ts';
import { readParameters } from '#app/platform/page-parameters.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { findAnswers, helpParameters } from '#app/storefront/reading/find-answers.server.ts';
import { QuestionList } from '#app/storefront/reading/question-list.tsx';
import { ReadingSearch } from '#app/storefront/reading/reading-search.tsx';
import { readQuestions } from '#app/storefront/reading/read-content.server.ts';
import { readSiteFacts } from '#app/storefront/reading/site-facts.server.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { Icon, type IconName } from '#app/ui/icon.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import styles from './help-page.module.css';

/** Searches the topics and the FAQ on the server, so that the search works without JavaScript. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { search = '' } = readParameters(helpParameters, new URL(request.url).searchParams);
  const site = await readSiteFacts(context);
  const topics = readQuestions('help', site);
  if (search === '') {
    allowPageCache(context, []);
    return { search, topics, found: [] };
  }
  const everything = [...topics, ...readQuestions('faq', site)].flatMap(({ entries }) => entries);
  return { search, topics: [], found: findAnswers(everything, search) };
}

export const meta = fixedMeta({
  path: '/help',
  title: 'Help Center',
  description: 'How to find deals, save favorites, set price alerts and manage your account.',
});

export default function HelpPage({ loaderData }: Route.ComponentProps) {
  const { search, topics, found } = loaderData;
  return (
    <div className={styles.page}>
      <header className={`stack start gap-2 ${styles.head}`}>
        <h1>Help Center</h1>
        <p>How can we help?</p>
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
