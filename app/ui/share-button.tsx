import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Hands the page on (`copy-and-share.ts`). Shown only where script runs. */
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
