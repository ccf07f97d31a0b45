import prose from '#app/features/blog/prose.module.css';

/** The text of an answer: a paragraph, or the text written by staff. */
export function AnswerText({ answer, html }: { answer: string; html: string | undefined }) {
  if (html === undefined) return <p>{answer}</p>;
  return <div className={prose.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
