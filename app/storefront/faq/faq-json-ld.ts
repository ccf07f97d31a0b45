import type { FAQPage, WithContext } from 'schema-dts';
import type { AnsweredQuestion } from '#app/storefront/reading/question-list.tsx';

/** The questions and answers of the page, for machines. */
export function faqJsonLd(questions: AnsweredQuestion[]): WithContext<FAQPage> {
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
