import { CopyButton } from '#app/ui/copy-button.tsx';
import styles from './share-evidence.module.css';

interface Props {
  /** The path of the share picture. */
  picture: string;
  sentence: string;
  url: string;
}

/** Renders the picture, the sentence and the link to share, even without JavaScript. */
export function ShareEvidence({ picture, sentence, url }: Props) {
  return (
    <details className={styles.fold} data-no-print>
      <summary>Picture and text to share</summary>
      <div className={styles.content}>
        <a href={picture} download>
          <img src={picture} alt="" loading="lazy" width={1200} height={630} />
          Download picture
        </a>
        <p className="anywhere">
          {sentence} {url}
        </p>
        <CopyButton text={`${sentence} ${url}`} label="Copy text and link" />
      </div>
    </details>
  );
}
