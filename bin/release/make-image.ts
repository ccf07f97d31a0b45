import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { layDebianRoot, siteAccount } from './lay-debian-root.ts';
import { packFiles } from './pack-files.ts';
import type { MakeFiles, Release } from './stage-release.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** The path of the release in the image. */
const program = 'opt/deal-hub';
const composeFiles = ['compose.yml', 'docs/compose.postgres.yml'];
/** Node's names for processors, and those of the Open Container Initiative. */
const dockerArchitectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };
/** The labels of the image. A test compares them with those of the Dockerfile. */
export const imageLabels = {
  title: 'Deal Hub',
  description: JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).description,
  licenses: 'MIT',
};

/**
 * Creates an image in the format of the Open Container Initiative, which Docker, Podman and skopeo
 * can read. Adds the file that `docker load` needs. The image contains Debian packages and no base
 * image. The format does not support health checks.
 */
export const makeImage: MakeFiles = (release) => {
  const { epoch, tree, out } = release;
  const name = `${path.basename(tree)}-oci`;
  const work = path.join(path.dirname(tree), 'image');
  const inWork = (...parts: string[]) => path.join(work, ...parts);
  const system = inWork('system');
  const debian = layDebianRoot(system, inWork('debs'), release.arch);
  fs.mkdirSync(path.join(system, path.dirname(program)), { recursive: true, mode: 0o755 });
  fs.mkdirSync(inWork('data/data'), { recursive: true, mode: 0o700 });

  const layers = ['system.tar', 'program.tar', 'data.tar'].map((file) => inWork(file));
  const [ofSystem = '', ofProgram = '', ofData = ''] = layers;
  packFiles(ofSystem, epoch, system);
  packFiles(ofProgram, epoch, tree, { as: program });
  // A volume inherits the owner of the folder that it replaces.
  packFiles(ofData, epoch, inWork('data'), { name: 'data', owner: siteAccount });
  const layout = inWork('layout');
  buildLayout(layout, layers, release);
  noteForDocker(layout, release.version);
  packFiles(path.join(out, `${name}.tar`), epoch, layout);

  const bill = JSON.parse(fs.readFileSync(path.join(tree, 'sbom.json'), 'utf8'));
  bill.components.push(...debian.map(describePackage));
  fs.writeFileSync(path.join(out, `${name}.sbom.json`), `${JSON.stringify(bill, null, 2)}\n`);
  for (const file of composeFiles) copyCompose(file, release);
  return [`${name}.tar`, `${name}.sbom.json`, ...composeFiles.map((file) => path.basename(file))];
};

/** Copies a Compose file to the release. Throws if the file starts another version. */
function copyCompose(file: string, { version, out }: Release): void {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  if (!text.includes(`image: deal-hub:${version}\n`)) {
    throw new Error(`${file} does not start deal-hub:${version}. Update the version there.`);
  }
  fs.writeFileSync(path.join(out, path.basename(file)), text);
}

function buildLayout(
  layout: string,
  layers: string[],
  { version, epoch, arch, revision }: Release,
): void {
  const created = new Date(epoch * 1000).toISOString();
  const image = `${layout}:${version}`;
  umoci('init', '--layout', layout);
  umoci('new', '--image', image);
  for (const layer of layers) {
    const told = `--history.created_by=${path.basename(layer, '.tar')}`;
    umoci('raw', 'add-layer', `--image=${image}`, `--history.created=${created}`, told, layer);
  }
  const settings = {
    'config.user': `${siteAccount}:${siteAccount}`,
    'config.workingdir': '/data',
    'config.entrypoint': `/${program}/deals`,
    'config.cmd': 'start',
    'config.volume': '/data',
    'config.exposedports': '3000/tcp',
    'config.stopsignal': 'SIGTERM',
    architecture: dockerArchitectures[arch] ?? arch,
    created,
  };
  const variables = [`PATH=/${program}:/usr/bin:/bin`, 'HOST=0.0.0.0', 'DATA_DIR=/data'];
  const words = [
    ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    ...variables.map((variable) => `--config.env=${variable}`),
    ...Object.entries({ ...imageLabels, version, revision, created }).map(
      ([name, value]) => `--config.label=org.opencontainers.image.${name}=${value}`,
    ),
  ];
  umoci('config', '--no-history', `--image=${image}`, ...words);
  umoci('gc', '--layout', layout);
}

function umoci(...words: string[]): void {
  execFileSync('umoci', ['--log=warn', ...words], { stdio: 'inherit' });
}

/** `docker load` finds the image by manifest.json, or its name by an annotation in index.json. */
function noteForDocker(layout: string, version: string): void {
  const read = (file: string) => JSON.parse(fs.readFileSync(path.join(layout, file), 'utf8'));
  const write = (file: string, value: unknown) =>
    fs.writeFileSync(path.join(layout, file), JSON.stringify(value));
  const blob = ({ digest }: { digest: string }) => `blobs/${digest.replace(':', '/')}`;
  const name = `deal-hub:${version}`;
  const index = read('index.json');
  const [manifest] = index.manifests;
  manifest.annotations['io.containerd.image.name'] = `docker.io/library/${name}`;
  write('index.json', index);
  const { config, layers } = read(blob(manifest));
  write('manifest.json', [{ Config: blob(config), RepoTags: [name], Layers: layers.map(blob) }]);
}

function describePackage({ name, version, arch }: ReturnType<typeof layDebianRoot>[number]) {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}&distro=bookworm`;
  return { type: 'library', 'bom-ref': purl, name, version, scope: 'required', purl };
}
