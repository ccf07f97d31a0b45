// Lays out the folder of a release, for the Dockerfile: `node bin/release/lay-folder.ts /opt/deal-hub`. The pages must be
// built. SOURCE_DATE_EPOCH (seconds since 1970) becomes the time of every file.
import { stageRelease } from './stage-release.ts';

const [folder] = process.argv.slice(2);
if (!folder?.startsWith('/')) throw new Error('Give the absolute path of a folder.');
stageRelease(folder, Number(process.env['SOURCE_DATE_EPOCH'] ?? 0), process.arch);
