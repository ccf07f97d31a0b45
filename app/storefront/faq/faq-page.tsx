import type { FAQPage, WithContext } from 'schema-dts';
import type { Route } from './+types/faq-page';
import { allowPageCache } from '#app/platform/app-context.server.ts';
import { readParameters } from '#app/platform/page-parameters.ts';
import { faqParameters, findAnswers } from '#app/storefront/reading/find-answers.server.ts';
import {
  type AnsweredQuestion,
  pagesTag,
  questionsOf,
  readSiteText,
} from '#app/features/pages/read-site-text.server.ts';
import { QuestionList } from '#app/storefront/reading/question-list.tsx';
import { ReadingSearch } from '#app/storefront/reading/reading-search.tsx';
import { textMeta } from '#app/storefront/reading/text-meta.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { ChipLink } from '#app/ui/chip.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import faqCategories from './faq-categories.json' with { type: 'json' };
import styles from './faq-page.module.css';

/** Searches on the server, so that the URL contains the whole state and no JavaScript is needed. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams;
  const { search = '', category: asked = null } = readParameters(faqParameters, params);
  const text = await readSiteText(context, 'faq');
  const { title: heading, intro, head } = text;
  const groups = questionsOf(text);
  const category = groups.some(({ id }) => id === asked) ? asked : null;
  const asIn = groups.filter(({ id }) => category === null || id === category);
  const questions = findAnswers(
    asIn.flatMap(({ entries }) => entries),
    search,
  );
  const isWhole = search === '' && category === null;
  if (isWhole) allowPageCache(context, [pagesTag]);
  const categories = inOrder(groups);
  return { heading, intro, head, questions, categories, category, search, isWhole };
}

/**
 * Returns the questions' categories. The original text's come first, in the order of its buttons.
 */
function inOrder(groups: readonly { id: string; title: string }[]) {
  const places = Object.keys(faqCategories);
  const placeOf = ({ id }: { id: string }) => places.indexOf(id) + 1 || places.length + 1;
  return groups
    .map(({ id, title }) => ({ id, title }))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
}

export function meta(page: Route.MetaArgs) {
  const { loaderData } = page;
  const jsonLd = loaderData?.isWhole ? [faqJsonLd(loaderData.questions)] : [];
  return textMeta(page, '/faq', loaderData?.head, jsonLd);
}

export default function FaqPage({ loaderData }: Route.ComponentProps) {
  const { heading, intro, questions, categories, category, search } = loaderData;
  const isFiltered = search !== '' || category !== null;
  return (
    <div className={styles.page}>
      <PageHeading title={heading}>
        {intro ? <span dangerouslySetInnerHTML={{ __html: intro }} /> : null}
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
        {categories.map(({ id, title }) => (
          <ChipLink key={id} to={hrefOf(id, search)} isCurrent={category === id}>
            {title}
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
