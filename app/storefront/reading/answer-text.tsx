import prose from '#app/features/blog/prose.module.css';

/** The text of an answer: a paragraph, or what staff wrote. */
export function AnswerText({ answer, html }: { answer: string; html: string | undefined }) {
  if (html === undefined) return <p>{answer}</p>;
  return <div className={prose.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
