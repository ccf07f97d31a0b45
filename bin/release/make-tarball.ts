import path from 'node:path';
import { packFiles } from './pack-files.ts';
import type { MakeFiles } from './stage-release.ts';

export const makeTarball: MakeFiles = ({ epoch, tree, out }) => {
  const name = path.basename(tree);
  packFiles(path.join(out, `${name}.tar.gz`), epoch, path.dirname(tree), { name });
  return [`${name}.tar.gz`];
};
