import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../settings/index.ts';
import { EmbedderUnavailable } from './port.ts';

/** The names under which hubs publish ONNX weights, preferred ones first: int8 is four times smaller and about twice as fast. */
export const weightFiles = ['onnx/model_quantized.onnx', 'onnx/model_int8.onnx', 'model_quantized.onnx', 'onnx/model.onnx', 'model.onnx'];

export function findWeights(folder: string): string | null {
  return weightFiles.find((file) => existsSync(path.join(folder, file))) ?? null;
}

/** SVC_EMBED_MODEL is a folder with a model, or the name of a model on the hub, with a revision after `@` if it is to be pinned. */
export function isModelFolder({ embedModel }: Pick<Settings, 'embedModel'>): boolean {
  return path.isAbsolute(embedModel);
}

/** Where the files of the model are, or will be after the download. */
export function modelFolder({ configDir, embedModel }: Pick<Settings, 'configDir' | 'embedModel'>): string {
  return path.isAbsolute(embedModel) ? embedModel : path.join(configDir, 'models', embedModel.replaceAll('/', '--'));
}

export function findModelFolder(settings: Pick<Settings, 'configDir' | 'embedModel'>): string {
  const folder = modelFolder(settings);
  if (findWeights(folder)) return folder;
  throw new EmbedderUnavailable(
    isModelFolder(settings)
      ? `The folder ${folder} has no embedding model. Check SVC_EMBED_MODEL.`
      : `The embedding model ${settings.embedModel} is not here yet. The worker downloads it before it embeds the first text.`,
  );
}

/** What is known about the files of the model without loading it; null while they are missing. */
export function describeModelFiles(settings: Pick<Settings, 'configDir' | 'embedModel'>) {
  const folder = modelFolder(settings);
  const file = findWeights(folder);
  if (!file) return null;
  const { repository, revision, downloaded_at } = readManifest(folder);
  return {
    repository: repository ?? settings.embedModel,
    file,
    cached: true,
    size_bytes: statSync(path.join(folder, file)).size,
    revision: revision ?? null,
    downloaded_at: downloaded_at ?? null,
  };
}

/** Written by the download. A folder that somebody filled by hand has none. */
function readManifest(folder: string): { repository?: string; revision?: string; downloaded_at?: string } {
  const file = path.join(folder, 'manifest.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
