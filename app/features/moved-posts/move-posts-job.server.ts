import type { AppServices } from '#app/platform/app-context.server.ts';
import { runMoves } from './run-move.server.ts';

export { areMovesDue } from './run-move.server.ts';

/** Continues post imports, and their undos, that an editor started. */
export function movePosts({ db }: Pick<AppServices, 'db'>, signal?: AbortSignal) {
  return runMoves(db, signal);
}
