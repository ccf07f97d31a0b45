import type { FAQPage, WithContext } from 'schema-dts';
import type { Route } from './+types/faq-page';
import { allowPageCache } from '#app/platform/app-context.server.ts';
import { readParameters } from '#app/platform/page-parameters.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { faqParameters, findAnswers } from '#app/storefront/reading/find-answers.server.ts';
import { type AnsweredQuestion, QuestionList } from '#app/storefront/reading/question-list.tsx';
import { readQuestions } from '#app/storefront/reading/read-content.server.ts';
import { ReadingSearch } from '#app/storefront/reading/reading-search.tsx';
import { readSiteFacts } from '#app/storefront/reading/site-facts.server.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { ChipLink } from '#app/ui/chip.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import faqCategories from './faq-categories.json' with { type: 'json' };
import styles from './faq-page.module.css';

/**
 * Searches on the server, so that the address contains the whole state and no JavaScript is needed.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams;
  const { search = '', category = null } = readParameters(faqParameters, params);
  const groups = readQuestions('faq', await readSiteFacts(context));
  const asIn = groups.filter(({ id }) => category === null || id === category);
  const questions = findAnswers(
    asIn.flatMap(({ entries }) => entries),
    search,
  );
  if (search === '' && category === null) allowPageCache(context, []);
  return { questions, category, search, isWhole: search === '' && category === null };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: '/faq',
    title: 'Frequently Asked Questions',
    description: 'Short answers about deals, price alerts, favorites, accounts and the newsletter.',
    jsonLd: loaderData?.isWhole ? [faqJsonLd(loaderData.questions)] : [],
  });
}

export default function FaqPage({ loaderData }: Route.ComponentProps) {
  const { questions, category, search } = loaderData;
  const isFiltered = search !== '' || category !== null;
  return (
    <div className={styles.page}>
      <PageHeading title="Frequently Asked Questions">
        Short answers. Longer ones, step by step, are in the <a href="/help">Help Center</a>.
      </PageHeading>
      <ReadingSearch
        action="/faq"
        label="Search the questions"
        search={search}
        kept={category === null ? {} : { category }}
      />
      <nav aria-label="Categories of questions" className={styles.categories}>
        <ChipLink to={hrefOf(null, search)} isCurrent={category === null}>
          All
        </ChipLink>
        {Object.entries(faqCategories).map(([name, label]) => (
          <ChipLink key={name} to={hrefOf(name, search)} isCurrent={category === name}>
            {label}
          </ChipLink>
        ))}
      </nav>
      <p role="status" className="muted table-text">
        {isFiltered
          ? `${questions.length} ${questions.length === 1 ? 'question' : 'questions'} found`
          : ''}
      </p>
      {questions.length > 0 ? (
        <QuestionList questions={questions} isOpen={search !== ''} />
      ) : (
        <MessagePanel
          icon="search"
          title="No questions found"
          actions={
            <>
              <PrimaryLink to="/faq">Show all questions</PrimaryLink>
              <ButtonLink to="/contact">Ask us</ButtonLink>
            </>
          }
        >
          Try a shorter word or another category, or ask us directly.
        </MessagePanel>
      )}
      <aside className={styles.next} aria-labelledby="still-open">
        <h2 id="still-open">Still have a question?</h2>
        <div className="row gap-3">
          <PrimaryLink to="/contact">Contact Us</PrimaryLink>
          <ButtonLink to="/help">Help Center</ButtonLink>
        </div>
      </aside>
    </div>
  );
}

function hrefOf(category: string | null, search: string): string {
  const query = new URLSearchParams({
    ...(category === null ? {} : { category }),
    ...(search === '' ? {} : { search }),
  }).toString();
  return query ? `/faq?${query}` : '/faq';
}

/** Returns the page's questions and answers as structured data. */
function faqJsonLd(questions: AnsweredQuestion[]): WithContext<FAQPage> {
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}
