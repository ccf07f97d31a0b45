import { Icon, type IconName, LineIcon } from './icon.tsx';

/** Icons used on only a few pages, so that other pages need not load them. */
const paths = {
  chart: 'M4 4v16h16M7.5 9.5h4v4h4v3h4',
  key: 'M15.5 4a4.5 4.5 0 1 1-4.2 6.1L4.5 17v3h3.2v-2.2h2.2v-2.3l2.4-2.4A4.5 4.5 0 0 1 15.5 4ZM16.6 7.4v.1',
  scale:
    'M12 4v16M7.5 20h9M5 7.5l7-1.5 7 1.5M5 7.5 2.5 13.5a2.8 2.8 0 0 0 5 0L5 7.5ZM19 7.5l-2.5 6a2.8 2.8 0 0 0 5 0L19 7.5Z',
  rss: 'M5 19.2v-.4M5 12a7 7 0 0 1 7 7M5 5.5A13.5 13.5 0 0 1 18.5 19',
} as const;

export type FurtherIconName = IconName | keyof typeof paths;

/** Renders an icon of the second set. */
export function FurtherIcon({ name, size }: { name: FurtherIconName; size?: number }) {
  return isOwn(name) ? (
    <LineIcon path={paths[name]} size={size} />
  ) : (
    <Icon name={name} {...(size && { size })} />
  );
}

function isOwn(name: FurtherIconName): name is keyof typeof paths {
  return name in paths;
}
