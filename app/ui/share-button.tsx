import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Shares the page (`copy-and-share.ts`). Shown only if script runs. */
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
