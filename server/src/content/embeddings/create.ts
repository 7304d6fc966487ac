import path from 'node:path';
import { createOutbound } from '../../platform/outbound/index.ts';
import { isEnabled, type Settings } from '../../settings/index.ts';
import { createLocalEmbedder } from './local/index.ts';
import { findModelFolder, isModelFolder } from './model-folder.ts';
import { createNoEmbedder } from './none.ts';
import type { Embedder } from './port.ts';
import { createRemoteEmbedder } from './remote.ts';

/**
 * The embedder that the settings choose. Nothing is loaded before its first call. `background` work runs at the lowest priority in
 * SVC_EMBEDDER_CONCURRENCY threads; queries have one thread of their own.
 */
export function createEmbedder(settings: Settings, { background }: { background: boolean }): Embedder {
  if (!isEnabled(settings, 'SVC_SEMANTIC_ENABLED')) return createNoEmbedder();
  const { embedUrl: url, embedModel: model, embedApiKey: apiKey } = settings;
  if (url) return createRemoteEmbedder({ outbound: createOutbound({ settings }), url, model, apiKey });
  return createLocalEmbedder({
    // The weights identify a model, so its folder may be moved.
    name: isModelFolder(settings) ? path.basename(model) : model,
    folder: async () => findModelFolder(settings),
    threads: background ? settings.embedderConcurrency : 1,
    lowPriority: background,
  });
}
