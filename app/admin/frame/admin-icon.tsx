import { Icon, type IconName, LineIcon } from '#app/ui/icon.tsx';

/** Icons for the admin only, so that visitors do not download them. */
const paths = {
  more: 'M5.5 12h.1M12 12h.1M18.4 12h.1',
  edit: 'M4.5 19.5v-4L15.6 4.4l4 4L8.5 19.5zM13 7l4 4',
  gauge: 'M4 18a9 9 0 1 1 16 0M12 14.5l4-5',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  chart: 'M4.5 19.5h15M7 16v-4M12 16V6M17 16V9',
  list: 'M4 6.5h.1M8 6.5h12M4 12h.1M8 12h12M4 17.5h.1M8 17.5h12',
  coupon:
    'M4 6.5h16v4a1.5 1.5 0 0 0 0 3v4H4v-4a1.5 1.5 0 0 0 0-3zM10 9.5h.1M14 14.5h.1M14.5 9l-5 6',
  picture: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15 9h.1',
  coin: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM14.8 9.4c-1.2-1.7-5.4-1.4-5.4.8 0 2.7 5.4 1.2 5.4 3.8 0 2.2-4.4 2.4-5.6.6M12 6.8v10.4',
  upload: 'M12 16V5M7 9.5l5-5 5 5M5 19.5h14',
  users:
    'M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7ZM2.5 19.5a6.5 6.5 0 0 1 13 0M16 5.3a3.5 3.5 0 0 1 0 6.4M18 14.2a6.5 6.5 0 0 1 3.5 5.3',
  send: 'M4 12 20 4.5 15.5 20l-4-6.5zM11.5 13.5 20 4.5',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7',
  inbox: 'M4 13.5 6.5 5h11l2.5 8.5V19H4v-5.5h4.5l1.2 2h4.6l1.2-2H20',
} as const;

export type AdminIconName = IconName | keyof typeof paths;

export function AdminIcon({ name, size }: { name: AdminIconName; size?: number }) {
  return isOwn(name) ? (
    <LineIcon path={paths[name]} size={size} />
  ) : (
    <Icon name={name} size={size} />
  );
}

function isOwn(name: AdminIconName): name is keyof typeof paths {
  return name in paths;
}
