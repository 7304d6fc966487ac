import { boolean, decimal, integer, path, secret, text, url } from '../kinds.ts';

/** Queries, the index and its upkeep. */
export const searchSettings = {
  SVC_SEARCH_CUTOFF_MS: integer({ default: 1500, min: 1, unit: 'milliseconds', sentence: 'A search is cut off after this long.' }),
  SVC_SEARCH_SCOPE_FILTER_CEILING: integer({
    default: 4096,
    min: 1,
    unit: 'characters',
    sentence: 'A path permission filter longer than this is refused.',
  }),
  SVC_RECONCILE_MAX_FIXES: integer({
    default: 10_000,
    min: 0,
    unit: 'documents',
    sentence: 'Repairs the hourly index check makes at most.',
  }),
  SVC_SEARCH_REBUILD_WAIT_S: integer({ default: 900, min: 1, unit: 'seconds', sentence: 'How long a rebuild waits for the new index.' }),
  SVC_SEARCH_WRITE_ACK_SECONDS: integer({
    default: 30,
    min: 0,
    unit: 'seconds',
    sentence: 'How long an index write waits to hear that it succeeded; 0 does not wait.',
  }),
  SVC_SEARCH_SHADOW_MAX_AGE_HOURS: integer({
    default: 6,
    min: 1,
    unit: 'hours',
    sentence: 'A half-built index that nobody works on is removed after this long.',
  }),
  SVC_SEARCH_COMPACTION_ENABLED: boolean({ default: true, sentence: 'Compact the index every week.' }),
  SVC_SEARCH_COMPACTION_THRESHOLD: decimal({
    default: 1.3,
    min: 1,
    unit: 'stored size / used size',
    sentence: 'The index is compacted only above this ratio.',
  }),
  SVC_SEARCH_COMPACTION_WAIT_S: integer({
    default: 1800,
    min: 1,
    unit: 'seconds',
    sentence: 'How long compaction is waited for; a longer one is reported, not failed.',
  }),
  SVC_SEARCH_DATA_PATH: path({
    unset: 'its disk is not watched',
    sentence: 'Folder of the search engine data, when this process can see it.',
  }),
  SVC_PERMISSION_SNAPSHOTS_RETAIN: integer({
    default: 10,
    min: 1,
    unit: 'snapshots',
    sentence: 'Permission snapshots kept for each agent and path.',
  }),
  SVC_FRECENCY_ENABLED: boolean({
    default: true,
    sentence: 'Lift files a person opens often and recently; false neither records nor uses it.',
  }),
};

/** Meaning, passages and questions in plain language. */
export const semanticSettings = {
  SVC_SEMANTIC_ENABLED: boolean({
    default: false,
    sentence: 'Search by meaning: the worker downloads a small model once and embeds items in the background.',
  }),
  SVC_SEMANTIC_QUANTIZE: boolean({
    default: false,
    sentence: 'Store one bit per dimension: about ten times smaller, slightly less exact; turning it off needs an index rebuild.',
  }),
  SVC_EMBED_MODEL: text({
    default: 'BAAI/bge-small-en-v1.5',
    origin: 'default chosen',
    sentence: 'Embedding model, downloaded once from the model hub.',
  }),
  MODEL_HUB_TOKEN: secret({
    unset: 'anonymous download',
    alsoReads: ['HF_TOKEN'],
    sentence: 'Token for the one-off model download; blank or a placeholder downloads anonymously.',
  }),
  SVC_EMBEDDER_CONCURRENCY: integer({
    default: 1,
    min: 1,
    max: 64,
    unit: 'workers',
    sentence: 'Embedding workers, each at lowest priority.',
  }),
  SVC_CHUNK_SIZE_CHARS: integer({ default: 1000, min: 1, unit: 'characters', sentence: 'Length of a passage.' }),
  SVC_CHUNK_OVERLAP_CHARS: integer({ default: 150, min: 0, unit: 'characters', sentence: 'What a passage shares with the one before it.' }),
  SVC_CHUNK_MAX_PER_ITEM: integer({ default: 200, min: 1, unit: 'passages', sentence: 'Passages made of one document at most.' }),
  SVC_CHUNK_BACKFILL_BATCH: integer({ default: 2000, min: 1, unit: 'items', sentence: 'Items one passage run handles.' }),
  SVC_NL_OLLAMA_URL: url({
    unset: 'built-in rules translate questions',
    schemes: ['http', 'https'],
    prefix: true,
    sentence: 'Local language model server that translates questions into filters; built-in rules stay the fallback.',
  }),
  SVC_NL_OLLAMA_MODEL: text({
    default: 'qwen2.5:7b-instruct',
    origin: 'default chosen',
    sentence: 'Model that server uses.',
  }),
};
