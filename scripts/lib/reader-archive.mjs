// Packs the readers with the packages they depend on into one file, for a platform, and koffi alone into another. The agent unpacks them
// (agent/src/unpack-archive.ts).
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';

/** What programs load. Everything else in a package is for people. */
const loaded = /\.(js|cjs|mjs|json|wasm|node|dll|dylib)$|\.so(\.\d+)*$|\/ffprobe$|\/4\.0\.0_best_int\/eng\.traineddata\.gz$/;
/** Packages that tesseract.js names and does not load here: for browsers, and for its installation. */
const unusedPackages = ['zlibjs', 'idb-keyval', 'opencollective-postinstall'];
const unusedFiles = [
  // Node inside the program is built for glibc.
  /\/koffi-linux-\w+\/musl_/,
  // For browsers.
  /\/tesseract\.js\/dist\//,
  // 38 of 46 MB: copies of everything for bundlers, variants of the core without the old engine, which tesseract.js 7.0.0 never chooses in
  // Node, and SIMD without relaxed SIMD, because V8 has both of them or neither.
  /\/tesseract\.js-core\/tesseract-core(?!(-relaxedsimd)?\.(js|wasm)$)/,
];
/** Of the packages of fonts only what readers name. */
const fonts = /dejavu-fonts-ttf\/ttf\/DejaVuSans(-Bold|-Oblique|Mono)?\.ttf$|\/NotoSans(Hans|KR)-Regular\.otf$/;

/** `system` names a platform as packages do: linux-x64, darwin-arm64, win32-x64. */
export function packReaders({ root, system, fetchPackage, file }) {
  const lock = readLock(root);
  const sources = globSync('readers/src/**/*.{ts,mjs}', { cwd: root }).filter((name) => !/\.(test|fixture)\.ts$/.test(name));
  const contents = ['readers/package.json', ...sources].map((name) => ({
    from: path.join(root, name),
    to: path.relative('readers', name),
  }));
  const wanted = Object.keys(lock.readers.dependencies);
  const optional = Object.keys(lock.readers.optionalDependencies);
  contents.push(...packageFiles({ root, lock, fetchPackage, places: dependencies(lock, system, 'readers', wanted, optional) }));
  writeArchive(contents, file);
}

/** What the scanner loads in the agent itself. The readers have a copy of their own, which other users may read. */
export function packKoffi({ root, system, fetchPackage, file }) {
  const lock = readLock(root);
  writeArchive(packageFiles({ root, lock, fetchPackage, places: dependencies(lock, system, 'scanner', ['koffi']) }), file);
}

const readLock = (root) => JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;

function packageFiles({ root, lock, fetchPackage, places }) {
  const contents = [];
  for (const place of places) {
    const folder = existsSync(path.join(root, place)) ? path.join(root, place) : fetchPackage(nameOf(place), lock[place]);
    for (const name of globSync('**/*', { cwd: folder, exclude: (each) => each === 'node_modules' })) {
      const [from, to] = [path.join(folder, name), `${place}/${name}`];
      if ((loaded.test(to) || fonts.test(to)) && !unusedFiles.some((each) => each.test(to)) && statSync(from).isFile())
        contents.push({ from, to });
    }
  }
  return contents;
}

function writeArchive(contents, file) {
  contents.sort((a, b) => (a.to < b.to ? -1 : 1));
  const digest = createHash('sha256');
  const parts = contents.map(({ from, to: place }) => {
    const to = place.replaceAll(path.sep, '/');
    const content = readFileSync(from);
    const mode = path.basename(to) === 'ffprobe' ? 0o755 : 0o644;
    digest.update(`${to}\0${mode}\0${content.length}\0`).update(content);
    return { to, mode, packed: zstdCompressSync(content) };
  });
  const files = parts.map(({ to, mode, packed }) => ({ path: to, mode, size: packed.length }));
  const list = Buffer.from(JSON.stringify({ id: digest.digest('hex').slice(0, 16), files }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  writeFileSync(file, Buffer.concat([length, list, ...parts.map(({ packed }) => packed)]));
}

const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Places in node_modules, as the lock file has them: packages that a workspace needs, and native ones of the platform. */
function dependencies(lock, system, workspace, wanted, wantedIfSuitable = []) {
  const found = new Set();
  const [platform, arch] = system.split('-');
  const suits = ({ os, cpu, libc }) => (!os || os.includes(platform)) && (!cpu || cpu.includes(arch)) && !libc?.includes('musl');
  const add = (name, from, optional) => {
    if (unusedPackages.includes(name)) return;
    const place = placeOf(lock, name, from);
    if (place === undefined) {
      if (optional) return;
      throw new Error(`${name}, which ${from} needs, is not in package-lock.json.`);
    }
    if (found.has(place) || !suits(lock[place])) return;
    found.add(place);
    for (const each of Object.keys(lock[place].dependencies ?? {})) add(each, place, false);
    for (const each of Object.keys(lock[place].optionalDependencies ?? {})) add(each, place, true);
  };
  for (const name of wanted) add(name, workspace, false);
  for (const name of wantedIfSuitable) add(name, workspace, true);
  return [...found];
}

function placeOf(lock, name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (place in lock) return place;
    if (at === '') return undefined;
  }
}
