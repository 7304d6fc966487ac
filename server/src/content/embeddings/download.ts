import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Dependencies } from '../../platform/dependencies.ts';
import { probeDisks } from '../../platform/disk.ts';
import { createOutbound, type Outbound, OutboundError, type OutboundResponse } from '../../platform/outbound/index.ts';
import type { Settings } from '../../settings/index.ts';
import { findWeights, isModelFolder, modelFolder, weightFiles } from './model-folder.ts';
import { EmbedderUnavailable } from './port.ts';
import { writeBackfill } from './store.ts';

/**
 * Downloads the model of SVC_EMBED_MODEL once. The first answer of the hub fixes the revision, which a resumed download keeps. Every file is
 * compared with the checksum that the hub lists for this revision; the folder gets its final name when all files are complete.
 */
interface HubFile {
  rfilename: string;
  size?: number;
  /** Git's SHA-1 of the file. */
  blobId?: string;
  lfs?: { sha256: string; size: number };
}
interface Plan {
  repository: string;
  revision: string;
  files: HubFile[];
}

const defaultHub = 'https://huggingface.co';
const hourMs = 3_600_000;
const maxFileBytes = 2_000_000_000;
const maxRedirects = 4;

export async function downloadModel(
  { db, settings, log }: Pick<Dependencies, 'db' | 'settings' | 'log'>,
  signal: AbortSignal,
  { hub = defaultHub }: { hub?: string } = {},
): Promise<void> {
  const folder = modelFolder(settings);
  if (settings.embedUrl || isModelFolder(settings) || findWeights(folder)) return;
  const { status, paths } = await probeDisks(settings);
  if (status === 'critical')
    throw new EmbedderUnavailable(
      `The embedding model is not downloaded because the disk is nearly full: ${paths.find((each) => each.status === 'critical')?.reason ?? ''} Free some space.`,
    );
  const request = { outbound: createOutbound({ settings }), hub, token: tokenOf(settings), signal };
  const partial = `${folder}.partial`;
  await mkdir(partial, { recursive: true });
  try {
    const plan = await readPlan(request, partial, settings.embedModel);
    log.info(`Downloading the embedding model ${plan.repository} at ${plan.revision}.`);
    for (const file of plan.files)
      await downloadFile(request, partial, plan, file, (received, total) =>
        writeBackfill(db, { download: { file: file.rfilename, received, total } }),
      );
    const manifest = { repository: plan.repository, revision: plan.revision, files: plan.files, downloaded_at: new Date().toISOString() };
    await writeFile(path.join(partial, 'manifest.json'), JSON.stringify(manifest, null, 2));
    await rename(partial, folder);
    log.info('The embedding model is complete.');
  } catch (error) {
    if (error instanceof OutboundError)
      throw new EmbedderUnavailable(
        `The embedding model could not be downloaded: ${error.message} Put its files into ${folder}, or set SVC_EMBED_MODEL to a folder.`,
        { cause: error },
      );
    throw error;
  } finally {
    await writeBackfill(db, { download: null });
  }
}

interface HubRequest {
  outbound: Outbound;
  hub: string;
  token: string | null;
  signal: AbortSignal;
}

/** A value that was copied from an example is no token. */
function tokenOf({ modelHubToken: token }: Pick<Settings, 'modelHubToken'>): string | null {
  return token && !/^(<.*>|x+|change-?me.*|your.*|placeholder|none|token)$/i.test(token) ? token : null;
}

async function readPlan(request: HubRequest, partial: string, model: string): Promise<Plan> {
  const stored = path.join(partial, 'plan.json');
  if (existsSync(stored)) return JSON.parse(await readFile(stored, 'utf8')) as Plan;
  const [repository = '', wanted = 'main'] = model.split('@');
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw new EmbedderUnavailable(
      `SVC_EMBED_MODEL is "${model}", which is neither a folder nor the name of a model such as BAAI/bge-small-en-v1.5.`,
    );
  const chunks: Buffer[] = [];
  const response = await get(request, `${request.hub}/api/models/${repository}/revision/${encodeURIComponent(wanted)}?blobs=true`, {
    onData: (chunk) => void chunks.push(chunk),
  });
  if (response.status !== 200)
    throw new EmbedderUnavailable(
      `The model hub answered ${response.status} for ${model}. Check SVC_EMBED_MODEL, and MODEL_HUB_TOKEN if the model is not public.`,
    );
  const { sha, siblings = [] } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { sha?: string; siblings?: HubFile[] };
  const named = (name: string): HubFile[] => siblings.filter(({ rfilename }) => rfilename === name);
  const weights = weightFiles.flatMap(named)[0];
  if (!sha || !/^[0-9a-f]{40}$/.test(sha) || !weights || named('tokenizer.json').length === 0)
    throw new EmbedderUnavailable(`${model} has no ONNX weights or no tokenizer.json on the hub. Choose another model.`);
  const plan = {
    repository,
    revision: sha,
    files: [...['tokenizer.json', 'config.json', '1_Pooling/config.json'].flatMap(named), weights],
  };
  await writeFile(stored, JSON.stringify(plan));
  return plan;
}

async function downloadFile(
  request: HubRequest,
  partial: string,
  { repository, revision }: Plan,
  file: HubFile,
  report: (received: number, total: number) => Promise<void>,
): Promise<void> {
  const target = path.join(partial, file.rfilename);
  await mkdir(path.dirname(target), { recursive: true });
  const total = file.lfs?.size ?? file.size ?? 0;
  let received = existsSync(target) ? (await stat(target)).size : 0;
  if (received < total || received === 0) {
    const handle = await open(target, 'a');
    let reportedAt = 0;
    let status = 0;
    try {
      ({ status } = await get(request, `${request.hub}/${repository}/resolve/${revision}/${file.rfilename}`, {
        from: received,
        async onStatus(answered) {
          // A server that ignores the range sends the whole file again.
          if (answered === 200 && received > 0) {
            await handle.truncate(0);
            received = 0;
          }
        },
        async onData(chunk) {
          await handle.write(chunk);
          received += chunk.length;
          if (performance.now() - reportedAt < 1000) return;
          reportedAt = performance.now();
          await report(received, total);
        },
      }));
    } finally {
      await handle.close();
    }
    if (status !== 200 && status !== 206) {
      await rm(target, { force: true });
      throw new EmbedderUnavailable(`The model hub answered ${status} for ${file.rfilename}. The next run tries again.`);
    }
  }
  if (await matches(target, file)) return;
  await rm(target, { force: true });
  throw new EmbedderUnavailable(
    `${file.rfilename} of the embedding model does not have the checksum that the hub lists. It is downloaded again by the next run.`,
  );
}

/** Large files are listed with their SHA-256, small ones with the id that Git gives them. */
async function matches(target: string, { lfs, blobId }: HubFile): Promise<boolean> {
  if (!lfs && !blobId) return false;
  const { size } = await stat(target);
  const hash = lfs ? createHash('sha256') : createHash('sha1').update(`blob ${size}\0`);
  for await (const chunk of createReadStream(target)) hash.update(chunk as Buffer);
  return hash.digest('hex') === (lfs ? lfs.sha256 : blobId);
}

/** The hub redirects to its storage. Every address is checked like the first one, and only the hub itself gets the token. */
async function get(
  { outbound, hub, token, signal }: HubRequest,
  start: string,
  { from = 0, onStatus, onData }: { from?: number; onStatus?(status: number): Promise<void>; onData(chunk: Buffer): Promise<void> | void },
): Promise<OutboundResponse> {
  for (let url = start, hop = 0; ; hop++) {
    const own = new URL(url).origin === new URL(hub).origin;
    const headers = {
      ...(own && token ? { authorization: `Bearer ${token}` } : {}),
      ...(from > 0 ? { range: `bytes=${from}-` } : {}),
    };
    const response = await outbound.send('model_download', {
      url,
      headers,
      timeoutMs: hourMs,
      maxResponseBytes: maxFileBytes,
      signal,
      onStatus: async (status) => {
        if (status < 300) await onStatus?.(status);
      },
      onData: (chunk, status) => (status < 300 ? onData(chunk) : undefined),
    });
    const { location } = response.headers;
    if (response.status < 300 || response.status > 399 || !location || hop >= maxRedirects) return response;
    url = new URL(location, url).href;
  }
}
