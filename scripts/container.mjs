// Builds the container image without an image registry, runs it as it should be run, and checks what it promises:
//   npm run container [-- --keep]
// Debian packages replace the images that the Dockerfile starts from, so it needs root, the network and these programs.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { root } from './lib/install.mjs';
import { run } from './lib/run.mjs';
import { say, withProgress } from './lib/say.mjs';

const programs = ['mmdebstrap', 'buildah', 'podman', 'runc'];
const missing = programs.filter((program) => spawnSync(program, ['--version']).error);
if (missing.length > 0 || process.getuid?.() !== 0) {
  say(`Run this as root on Debian, after: apt-get install --no-install-recommends ${programs.join(' ')} crun`);
  process.exit(2);
}

const limits = { megabytes: 600, seconds: 15 };
/** Keeps the image and the steps of its build, so that the next build repeats only what has changed. */
const keep = process.argv.includes('--keep');
const image = 'localhost/catalog:check';
const work = mkdtempSync(path.join(os.tmpdir(), 'catalog-container-'));

async function must(program, args, options = {}) {
  const { code, output } = await run(program, args, { quiet: true, ...options });
  if (code === 0) return output.trim();
  say(output.slice(-4000));
  throw new Error(`${program} ${args[0]} failed with code ${code}.`);
}

/** A Debian root and a copy of it with Node and npm, under the names that the Dockerfile uses. */
async function makeBaseImages() {
  const debian = 'docker.io/library/debian:bookworm-slim';
  const node = 'docker.io/library/node:24-bookworm-slim';
  const exists = (name) => spawnSync('buildah', ['inspect', '--type', 'image', name]).status === 0;
  if (!exists(debian)) await makeDebian(debian);
  if (!exists(node)) await makeNode(debian, node);
}

async function makeDebian(debian) {
  const tar = path.join(work, 'rootfs.tar');
  const small = ['doc', 'man', 'info', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  // The images that the Dockerfile names have merged folders from the start. Merging them later would need all of Perl.
  const merged = ['--include=ca-certificates,usr-is-merged', '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr'];
  const noMore = '--aptopt=APT::Install-Recommends "false"';
  await must('mmdebstrap', ['--variant=minbase', ...merged, noMore, ...small, 'bookworm', tar]);
  const base = await must('buildah', ['from', 'scratch']);
  await must('buildah', ['add', base, tar, '/']);
  await must('buildah', ['commit', '--rm', '--format', 'docker', base, debian]);
}

async function makeNode(debian, node) {
  const programs = path.join(work, 'local');
  mkdirSync(path.join(programs, 'bin'), { recursive: true });
  cpSync(path.join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node'), path.join(programs, 'bin', 'node'));
  const pack = await must('npm', ['pack', 'npm@11', '--pack-destination', work, '--silent']);
  mkdirSync(path.join(programs, 'lib', 'node_modules', 'npm'), { recursive: true });
  await must('tar', [
    'xzf',
    path.join(work, pack.split('\n').at(-1)),
    '--strip-components=1',
    '-C',
    path.join(programs, 'lib/node_modules/npm'),
  ]);
  writeFileSync(path.join(programs, 'bin', 'npm'), '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n', {
    mode: 0o755,
  });
  const withNode = await must('buildah', ['from', '--pull-never', debian]);
  await must('buildah', ['add', withNode, programs, '/usr/local']);
  // npm in the build trusts what this machine trusts, for example the proxy of a company.
  const trusted = '/etc/ssl/certs/ca-certificates.crt';
  await must('buildah', ['add', withNode, trusted, trusted]);
  await must('buildah', ['config', '--env', `NODE_EXTRA_CA_CERTS=${trusted}`, withNode]);
  await must('buildah', ['commit', '--rm', '--format', 'docker', withNode, node]);
}

const build = () =>
  must(
    'buildah',
    [
      'bud',
      '--isolation',
      'chroot',
      '--pull-never',
      '--format',
      'docker',
      '--network',
      'host',
      ...(keep ? ['--layers'] : []),
      '-t',
      image,
      '-f',
      'deploy/Dockerfile',
      '.',
    ],
    {
      cwd: root,
    },
  );

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the image with a read-only root and returns what was measured. */
async function tryImage() {
  const [port, media] = [await freePort(), path.join(work, 'media')];
  mkdirSync(media);
  writeFileSync(path.join(media, 'hello.txt'), 'A file to find.\n');
  const volume = `catalog-check-${process.pid}`;
  const started = performance.now();
  const id = await must('podman', [
    ...['--runtime', 'runc', 'run', '--detach', '--pull', 'never', '--network', 'host', '--no-healthcheck'],
    // Podman asks for higher limits than some machines allow, for example those that are containers themselves.
    ...['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
    ...['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--tmpfs', '/tmp'],
    ...['--volume', `${volume}:/config`, '--volume', `${media}:/media:ro`, '--env', 'SVC_HOST=127.0.0.1', '--env', `SVC_PORT=${port}`],
    image,
  ]);
  try {
    const healthy = await untilHealthy(port, id, started);
    const inside = (...command) => must('podman', ['--runtime', 'runc', 'exec', id, ...command]);
    return {
      healthy,
      user: await inside('id', '-u'),
      readOnly: spawnSync('podman', ['--runtime', 'runc', 'exec', id, 'touch', '/app/x', '/etc/x', '/media/x']).status !== 0,
      check: await inside('node', 'server/src/main.ts', 'check'),
      probe: await inside('node', 'scripts/container/health.mjs').then(() => true),
      decoders: await inside('ffmpeg', '-v', 'error', '-decoders'),
      protocols: await inside('ffmpeg', '-v', 'error', '-protocols'),
    };
  } finally {
    spawnSync('podman', ['rm', '--force', '--time', '75', id]);
    spawnSync('podman', ['volume', 'rm', '--force', volume]);
  }
}

async function untilHealthy(port, id, started) {
  while (performance.now() - started < 90_000) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/health`).catch(() => null);
    if (response?.ok) return (performance.now() - started) / 1000;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  say(spawnSync('podman', ['logs', id], { encoding: 'utf8' }).stderr);
  throw new Error('The container did not become healthy within 90 s.');
}

const results = [];
const report = (ok, text) => results.push(`${ok ? 'ok    ' : 'MISSED'}  ${text}`) && ok;
try {
  await withProgress('Making the base images from Debian packages', makeBaseImages);
  await withProgress('Building the image', build);
  const bytes = Number(JSON.parse(await must('podman', ['image', 'inspect', image]))[0].Size);
  const { healthy, user, readOnly, check, probe, decoders, protocols } = await withProgress('Running the image', tryImage);
  const megabytes = Math.round(bytes / 1e6);
  report(megabytes <= limits.megabytes, `image of ${megabytes} MB (at most ${limits.megabytes})`);
  report(healthy <= limits.seconds, `healthy after ${healthy.toFixed(1)} s (at most ${limits.seconds})`);
  report(user !== '0', `runs as user ${user}`);
  report(readOnly, 'cannot write outside /config and /tmp');
  report(probe, 'its health check succeeds');
  const undecoded = ['h264', 'hevc', 'libdav1d', 'prores', 'mpeg2video', 'vp9', 'jpeg2000', 'libjxl'].filter(
    (name) => !new RegExp(`^ \\S+ +${name} `, 'm').test(decoders),
  );
  report(
    undecoded.length === 0,
    undecoded.length === 0 ? 'ffmpeg decodes videos and rare pictures' : `ffmpeg lacks ${undecoded.join(', ')}`,
  );
  report(!/\b(tcp|http|udp)\b/.test(protocols), 'ffmpeg has no network');
  report(true, `catalog check: ${check.split('\n').at(-1)}`);
} finally {
  rmSync(work, { recursive: true, force: true });
  if (!keep) spawnSync('buildah', ['rmi', '--force', image]);
}
say(results.join('\n'));
process.exit(results.some((line) => line.startsWith('MISSED')) ? 1 : 0);
