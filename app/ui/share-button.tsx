import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Renders a button that shares the page (`copy-and-share.ts`). Shown only with JavaScript. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  return (
    <span data-needs-js>
      <Button data-act="share" data-title={title} data-url={url}>
        <Icon name="share" size={18} />
        Share
      </Button>
    </span>
  );
}
