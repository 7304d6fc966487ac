import { createHash } from 'node:crypto';
import { type Outbound, OutboundError } from '../../platform/outbound/index.ts';
import { withPrefix } from './families.ts';
import { type Embedder, EmbedderUnavailable, type EmbeddingModel, toUnitLength } from './port.ts';

interface RemoteOptions {
  outbound: Outbound;
  /** The address of the server, with or without `/v1/embeddings`. */
  url: string;
  model: string;
  apiKey?: string | undefined;
}

/** Texts in one request; servers limit both the number and the time. */
const batchSize = 32;
/** Servers reject longer inputs than their model reads instead of cutting them. About 512 tokens of English. */
const maxChars = 2000;
const timeoutMs = 60_000;

/** Any server with the `/v1/embeddings` route of OpenAI: Ollama, llama.cpp, TEI, vLLM. */
export function createRemoteEmbedder({ outbound, url, model, apiKey }: RemoteOptions): Embedder {
  const address = `${url.replace(/\/+$/, '').replace(/(\/v1)?(\/embeddings)?$/, '')}/v1/embeddings`;
  let known: EmbeddingModel | null = null;
  let closed = false;

  async function request(input: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    if (closed) throw new EmbedderUnavailable('The embedder is closed.');
    signal?.throwIfAborted();
    const body = JSON.stringify({ model, input, encoding_format: 'float' });
    const { host } = new URL(address);
    let response: Awaited<ReturnType<Outbound['send']>>;
    try {
      response = await outbound.send('embedding_server', {
        url: address,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
        body,
        timeoutMs,
        maxResponseBytes: 64 * 1024 * 1024,
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof OutboundError)
        throw new EmbedderUnavailable(`The embedding server cannot be used: ${error.message}`, { cause: error });
      throw error;
    }
    if (response.status !== 200)
      throw new EmbedderUnavailable(
        `The embedding server ${host} answered ${response.status}. Check SVC_EMBED_URL, SVC_EMBED_MODEL and SVC_EMBED_API_KEY.`,
      );
    return readVectors(response.body, input.length, host);
  }

  const describe = ({ length: dimension }: Float32Array): EmbeddingModel => {
    if (known && known.dimension !== dimension)
      throw new EmbedderUnavailable(`The embedding server returned ${dimension} dimensions instead of ${known.dimension}.`);
    known ??= {
      name: model,
      revision: new URL(address).host,
      dimension,
      runtime: 'http',
      fingerprint: createHash('sha256')
        .update(JSON.stringify(['http', address, model, dimension]))
        .digest('hex')
        .slice(0, 32),
    };
    return known;
  };

  return {
    async model() {
      if (known && !closed) return known;
      return describe((await request(['dimension']))[0] as Float32Array);
    },
    async embed(texts, as, signal) {
      if (closed) throw new EmbedderUnavailable('The embedder is closed.');
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchSize) {
        const part = texts.slice(from, from + batchSize).map((text) => inputOf(withPrefix(model, text, as)));
        for (const vector of await request(part, signal)) {
          describe(vector);
          vectors.push(toUnitLength(vector));
        }
      }
      return vectors;
    },
    async close() {
      closed = true;
    },
  };
}

/** Servers reject empty inputs. */
function inputOf(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ').slice(0, maxChars).trim() || '-';
}

function readVectors(body: Buffer, count: number, host: string): Float32Array[] {
  const unexpected = new EmbedderUnavailable(`The embedding server ${host} returned something other than ${count} vectors.`);
  let data: unknown;
  try {
    data = (JSON.parse(body.toString('utf8')) as { data?: unknown }).data;
  } catch {
    throw unexpected;
  }
  if (!Array.isArray(data) || data.length !== count) throw unexpected;
  const vectors: Float32Array[] = [];
  for (const [at, each] of data.entries()) {
    const { index = at, embedding } = each as { index?: number; embedding?: unknown };
    if (!Number.isInteger(index) || index < 0 || index >= count || vectors[index]) throw unexpected;
    if (!Array.isArray(embedding) || embedding.length === 0 || !embedding.every((one) => typeof one === 'number')) throw unexpected;
    vectors[index] = Float32Array.from(embedding);
  }
  return vectors;
}
