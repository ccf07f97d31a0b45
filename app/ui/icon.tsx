/**
 * Line icons on a 24-unit grid, drawn for this site. The names of category icons come from the
 * specification.
 */
const paths = {
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14Zm5.2 12.2L20.5 20.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  moon: 'M20 14.2A8.2 8.2 0 0 1 9.8 4a8.2 8.2 0 1 0 10.2 10.2Z',
  external:
    'M14 5h5v5M19 5l-8.5 8.5M17 14v4.2a.8.8 0 0 1-.8.8H5.8a.8.8 0 0 1-.8-.8V7.8a.8.8 0 0 1 .8-.8H10',
  heart: 'M12 20s-7.5-4.6-7.5-10A4.3 4.3 0 0 1 12 7.4 4.3 4.3 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10Z',
  bell: 'M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5l1.5-1.5ZM10 20.5h4',
  share: 'M7 12.5V19a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1v-6.5M12 15V4M8.5 7.2 12 3.7l3.5 3.5',
  copy: 'M9 9h10v11H9zM15 9V4.5H5V15h4',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5 10 17.5 19.5 7',
  'chevron-right': 'M9.5 5.5 16 12l-6.5 6.5',
  'chevron-left': 'M14.5 5.5 8 12l6.5 6.5',
  'chevron-down': 'M5.5 9.5 12 16l6.5-6.5',
  'arrow-up': 'M12 19.5V5M5.5 11 12 4.5l6.5 6.5',
  'arrow-right': 'M4.5 12H19M13 5.5l6.5 6.5-6.5 6.5',
  grid: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  rows: 'M4 5.5h16M4 9.8h16M4 14.2h16M4 18.5h16',
  filter: 'M4 6.5h16M7 12h10M10 17.5h4',
  clock: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16ZM12 8v4.4l2.8 1.8',
  truck:
    'M3 7h11v9H3zM14 10h3.6L21 13v3h-7zM7 19.2a1.7 1.7 0 1 1 0-3.4 1.7 1.7 0 0 1 0 3.4ZM17 19.2a1.7 1.7 0 1 1 0-3.4 1.7 1.7 0 0 1 0 3.4Z',
  store:
    'M4 10v9.5h16V10M3 10l2-5.5h14L21 10a2.6 2.6 0 0 1-4.5 1.5A3 3 0 0 1 12 11.7a3 3 0 0 1-4.5-.2A2.6 2.6 0 0 1 3 10ZM9.5 19.5v-5h5v5',
  info: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16ZM12 11v5M12 7.8v.4',
  alert: 'M12 4.5 21 19.5H3L12 4.5ZM12 10v4.5M12 16.8v.4',
  shield: 'M12 3.5 19 6v5.5c0 4.4-2.9 7.4-7 9-4.1-1.6-7-4.6-7-9V6l7-2.5ZM9 11.8l2.2 2.2 4-4.3',
  mail: 'M4 6h16v12.5H4zM4 7l8 6.5L20 7',
  user: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM4.5 20.5a7.5 7.5 0 0 1 15 0',
  tag: 'M4 4.5h7.5l8.5 8.5-7 7L4.5 11.5 4 4.5ZM8.3 8.7v.1',
  smartphone:
    'M7.5 3h9a.9.9 0 0 1 .9.9v16.2a.9.9 0 0 1-.9.9h-9a.9.9 0 0 1-.9-.9V3.9a.9.9 0 0 1 .9-.9ZM11 17.8h2',
  shirt: 'M8.5 4 3.5 6.8 5 11.5l2.5-1V20h9v-9.5l2.5 1 1.5-4.7L15.5 4a3.5 3.5 0 0 1-7 0Z',
  home: 'M4 11.2 12 4l8 7.2M6 9.8V20h12V9.8M10 20v-5.5h4V20',
  dumbbell: 'M8 12h8M5.5 7.5H8v9H5.5zM16 7.5h2.5v9H16zM3 10v4M21 10v4',
  book: 'M5 5.5A1.5 1.5 0 0 1 6.5 4H19v13.5H6.8A1.8 1.8 0 0 0 5 19.2V5.5ZM5 19.2A1.8 1.8 0 0 0 6.8 21H19v-3.5M9 8h6',
  car: 'M4.5 12.5 6.4 7h11.2l1.9 5.5M3.5 12.5h17v5h-17zM6 17.5V20M18 17.5V20M7 15h.1M17 15h.1',
  gamepad2:
    'M7.5 7.5h9a4.8 4.8 0 0 1 4.7 4l.6 4.2a2.4 2.4 0 0 1-4.3 1.7L15.6 15H8.4l-1.9 2.4a2.4 2.4 0 0 1-4.3-1.7l.6-4.2a4.8 4.8 0 0 1 4.7-4ZM8 10v3M6.5 11.5h3M15 10.7h.1M17.3 12.6h.1',
  'shopping-bag': 'M5.5 8h13l1 12.5h-15L5.5 8ZM8.8 10.5V7a3.2 3.2 0 0 1 6.4 0v3.5',
  wrench:
    'M20 7.5a4.8 4.8 0 0 1-6.5 4.9L7 19a2 2 0 0 1-2.9-2.9l6.6-6.6A4.8 4.8 0 0 1 16.4 4l-2.6 2.6.6 3 3 .6L20 7.5Z',
} as const;

export type IconName = keyof typeof paths;

/** Renders an icon as decoration beside text. An icon without text beside it needs a `label`. */
export function Icon({
  name,
  size = 20,
  label,
}: {
  name: IconName;
  size?: number;
  label?: string;
}) {
  return LineIcon({ path: paths[name], size, label });
}

/** Renders a custom icon in the same style. */
export function LineIcon({
  path,
  size = 20,
  label,
}: {
  path: string;
  size?: number | undefined;
  label?: string | undefined;
}) {
  return (
    <svg
      className="line-icon"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      // The paths are strings, since a list shows dozens of icons, and each path element would be
      // created again.
      dangerouslySetInnerHTML={{ __html: `<path d="${path}"></path>` }}
    />
  );
}
