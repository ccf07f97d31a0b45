import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { pickPictures } from '#app/features/pictures/library-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { cutText } from '#app/platform/cut-text.ts';
import type { Route } from './+types/pick-picture-route';
import { mostPicked, picturesAtATime } from './pick-limits.ts';

const longestSearch = 100;

/** Returns the library's newest pictures that match `?q=`, at most `?count=`. */
export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'media.read');
  const { searchParams: asked } = new URL(request.url);
  const search = cutText((asked.get('q') ?? '').replace(/\p{Cc}/gu, ' ').trim(), longestSearch);
  const count = Number(asked.get('count')) || picturesAtATime;
  const most = Math.min(Math.max(Math.trunc(count), 1), mostPicked);
  return pickPictures(appServices(context).db, search, most);
}
