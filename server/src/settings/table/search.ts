import { boolean, decimal, integer, path, secret, text, url } from '../kinds.ts';

/** Queries, the index and its maintenance. */
export const searchSettings = {
  SVC_SEARCH_CUTOFF_MS: integer({ default: 1500, min: 1, unit: 'milliseconds', description: 'Time limit of a search.' }),
  SVC_SEARCH_SCOPE_FILTER_CEILING: integer({
    default: 4096,
    min: 1,
    unit: 'characters',
    description: 'Maximum length of a path permission filter. Longer filters are rejected.',
  }),
  SVC_RECONCILE_MAX_FIXES: integer({
    default: 10_000,
    min: 0,
    unit: 'documents',
    description: 'Maximum number of documents the hourly index check repairs in one run.',
  }),
  SVC_SEARCH_REBUILD_WAIT_S: integer({ default: 900, min: 1, unit: 'seconds', description: 'How long a rebuild waits for the new index.' }),
  SVC_SEARCH_WRITE_ACK_SECONDS: integer({
    default: 30,
    min: 0,
    unit: 'seconds',
    description: 'How long an index write waits for confirmation. 0 does not wait.',
  }),
  SVC_SEARCH_SHADOW_MAX_AGE_HOURS: integer({
    default: 6,
    min: 1,
    unit: 'hours',
    description: 'Age after which an abandoned, incomplete index is deleted.',
  }),
  SVC_SEARCH_COMPACTION_ENABLED: boolean({ default: true, description: 'Compacts the index every week.' }),
  SVC_SEARCH_COMPACTION_THRESHOLD: decimal({
    default: 1.3,
    min: 1,
    unit: 'stored size / used size',
    description: 'The index is compacted only above this ratio.',
  }),
  SVC_SEARCH_COMPACTION_WAIT_S: integer({
    default: 1800,
    min: 1,
    unit: 'seconds',
    description: 'How long a compaction is waited for. A longer one is reported but does not fail.',
  }),
  SVC_SEARCH_DATA_PATH: path({
    unset: 'its disk is not monitored',
    description: 'Folder with the data of the search engine, if this process can read it.',
  }),
  SVC_PERMISSION_SNAPSHOTS_RETAIN: integer({
    default: 10,
    min: 1,
    unit: 'snapshots',
    description: 'Number of permission snapshots kept for each file and folder. An unchanged file adds none.',
  }),
  SVC_FRECENCY_ENABLED: boolean({
    default: true,
    description: 'Ranks files higher that a user opened often and recently. false neither records nor uses this.',
  }),
};

/** Semantic search, passages and questions in plain language. */
export const semanticSettings = {
  SVC_SEMANTIC_ENABLED: boolean({
    default: false,
    description: 'Enables search by meaning. The worker downloads a small model once and processes items in the background.',
  }),
  SVC_SEMANTIC_QUANTIZE: boolean({
    default: false,
    description:
      'Keeps a sign and a size bit of each vector dimension in memory (Meilisearch and OpenSearch: the sign): at least ten times smaller, slightly less accurate. The index is rebuilt in the background when this changes.',
  }),
  SVC_EMBED_MODEL: text({
    default: 'BAAI/bge-small-en-v1.5',
    origin: 'default chosen',
    description:
      'Embedding model: the name of a BERT model on the model hub, which is downloaded once (`name@revision` pins it), a folder with its files, or the name on the server in SVC_EMBED_URL.',
  }),
  SVC_EMBED_URL: url({
    unset: 'the model runs in the worker',
    origin: 'added',
    schemes: ['http', 'https'],
    prefix: true,
    description: 'Server with an OpenAI-compatible /v1/embeddings route that computes the vectors, such as Ollama, llama.cpp, TEI or vLLM.',
  }),
  SVC_EMBED_API_KEY: secret({ unset: 'no key is sent', origin: 'added', description: 'Key for that server.' }),
  MODEL_HUB_TOKEN: secret({
    unset: 'anonymous download',
    alsoReads: ['HF_TOKEN'],
    description: 'Token for downloading the model. If it is empty or a placeholder, the download is anonymous.',
  }),
  SVC_EMBEDDER_CONCURRENCY: integer({
    default: 1,
    min: 1,
    max: 64,
    unit: 'workers',
    description: 'Number of embedding workers. They run at the lowest priority.',
  }),
  SVC_CHUNK_SIZE_CHARS: integer({ default: 1000, min: 1, unit: 'characters', description: 'Length of a passage.' }),
  SVC_CHUNK_OVERLAP_CHARS: integer({
    default: 150,
    min: 0,
    unit: 'characters',
    description: 'Length of the text that consecutive passages share.',
  }),
  SVC_CHUNK_MAX_PER_ITEM: integer({ default: 200, min: 1, unit: 'passages', description: 'Maximum number of passages per document.' }),
  SVC_CHUNK_BACKFILL_BATCH: integer({ default: 2000, min: 1, unit: 'items', description: 'Number of items processed in one passage run.' }),
  SVC_NL_OLLAMA_URL: url({
    unset: 'built-in rules translate questions',
    schemes: ['http', 'https'],
    prefix: true,
    description: 'Local language model server that translates questions into filters. Built-in rules are used if it fails.',
  }),
  SVC_NL_OLLAMA_MODEL: text({
    default: 'qwen2.5:7b-instruct',
    origin: 'default chosen',
    description: 'Model used on that server.',
  }),
};
