/** What a page says whose header leads on to another site. */
export function WayOn({ url }: { url: string }) {
  return (
    <p>
      Taking you there. If nothing happens, <a href={url}>go on by this link</a>.
    </p>
  );
}
