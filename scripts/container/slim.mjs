// Removes from an installation what the running service never loads. Runs while the container image is built.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../lib/install.mjs';

const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));

/** The package that a name means in a folder, found as Node does: in the nearest node_modules above it. */
function resolve(from, name) {
  for (let folder = from; ; folder = folder.includes('/node_modules/') ? folder.slice(0, folder.lastIndexOf('/node_modules/')) : '') {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[candidate]) return packages[candidate].link ? packages[candidate].resolved : candidate;
    if (folder === '') return null;
  }
}

/** Everything that these workspaces need at run time. */
function neededBy(workspaces) {
  const needed = new Set(workspaces);
  for (const each of needed) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[each];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = resolve(each, name);
      if (found) needed.add(found);
    }
  }
  return needed;
}

/** Needed elsewhere, but not in the image. */
const replaced = [
  // Debian's ffmpeg has ffprobe; Debian's tesseract is three times as fast as its WebAssembly build.
  /^node_modules\/@ffprobe-installer\//,
  /^node_modules\/(tesseract\.js(-core)?|@tesseract\.js-data\/.*)$/,
];

const needed = neededBy(['engine', 'scanner', 'readers', 'protocol', 'server']);
for (const [name, { link }] of Object.entries(packages)) {
  if (!name.includes('node_modules/') || link) continue;
  if (!needed.has(name) || replaced.some((pattern) => pattern.test(name))) rmSync(path.join(root, name), { recursive: true, force: true });
}

const modules = path.join(root, 'node_modules');
// Example mailboxes.
rmSync(path.join(modules, 'pst-extractor/example'), { recursive: true, force: true });

// Fonts for texts without fonts of their own: one weight of each is used.
for (const name of ['fonts-sc', 'fonts-kr']) {
  const fonts = path.join(modules, '@embedpdf', name, 'fonts');
  for (const file of readdirSync(fonts)) if (!file.endsWith('-Regular.otf')) rmSync(path.join(fonts, file));
}

// Browser builds of the model runtime: Node loads two modules and one WebAssembly file.
const runtime = path.join(modules, 'onnxruntime-web', 'dist');
const loaded = /^ort\.node\.min\.mjs$|^ort-wasm-simd-threaded\.(mjs|wasm)$/;
for (const name of readdirSync(runtime)) if (!loaded.test(name)) rmSync(path.join(runtime, name));

for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && /\.(js|mjs|cjs|css)\.map$|\.d\.[cm]?ts$/.test(entry.name)) rmSync(path.join(entry.parentPath, entry.name));

for (const name of ['fastify', 'pg', 'sharp', 'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'])
  if (!existsSync(path.join(modules, name))) throw new Error(`${name} is missing from the image.`);
