import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Renders a button that shares the page (`copy-and-share.ts`). Shown only with JavaScript. */
export function ShareButton({
  title,
  text,
  url,
}: {
  title: string;
  /** A sentence for services that show text in addition to the link. */
  text?: string;
  url: string;
}) {
  return (
    <span data-needs-js>
      <Button data-act="share" data-title={title} data-text={text} data-url={url}>
        <Icon name="share" size={18} />
        Share
      </Button>
    </span>
  );
}
