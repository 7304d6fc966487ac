import { setTimeout as sleep } from 'node:timers/promises';
import type { Document, Schema } from '@catalog/engine';
import { SearchUnavailable, type SearchWriter } from '../port.ts';
import { type Cluster, isFromAllShards, requireOk } from './client.ts';
import { storedDocument } from './document.ts';
import { formatOf, indexBody } from './mapping.ts';
import { indexStats } from './reader.ts';

interface WriterOptions {
  /** The name that searches use. It points to one index at a time. */
  alias: string;
  schema: Schema;
  shards: number;
  compactionWaitSeconds: number;
}

/** One request carries at most this many characters; the server refuses requests above 100 MB. */
const maxRequestLength = 8_000_000;
/** How long the server waits for a shard that has no copy at the moment, before it reports the documents as not written. */
const shardWait = '10s';
/** Rounds in which documents that the server was too busy to accept are sent again. */
const maxRounds = 8;

/**
 * Writes an OpenSearch index. Writes are confirmed by every copy of a shard that is in use, so losing one of several nodes loses none of
 * them. A rebuild fills a new index and then moves the alias in one step.
 */
export function openSearchIndexWriter(cluster: Cluster, { alias, shards, compactionWaitSeconds, ...options }: WriterOptions): SearchWriter {
  let { schema } = options;
  const shadowPrefix = `${alias}_shadow_`;

  /** Sends all operations, repeating those that the server was too busy for. */
  async function bulk(target: string, operations: readonly string[], requireAlias: boolean): Promise<void> {
    let waiting = [...operations];
    for (let round = 0; waiting.length > 0; round++) {
      if (round === maxRounds) throw new SearchUnavailable('The search cluster is too busy to accept documents.', false);
      if (round > 0) await sleep(Math.min(5000, 50 * 2 ** round));
      const response = await cluster(`/${target}/_bulk?timeout=${shardWait}&require_alias=${requireAlias}`, {
        method: 'POST',
        body: waiting.join(''),
      });
      requireOk(response);
      const items: { status: number; error?: { type: string; reason: string } }[] = (response.body.items ?? []).map(
        (item: Record<string, unknown>) => Object.values(item)[0],
      );
      if (items.length !== waiting.length)
        throw new SearchUnavailable('The search server returned an unexpected response to a write.', false);
      waiting = waiting.filter((_, at) => isBusy(items[at]?.status ?? 0));
      // A document that is not there needs no removal.
      const refused = items.find(({ status, error }) => status >= 300 && !isBusy(status) && !(status === 404 && error === undefined));
      if (refused)
        throw new SearchUnavailable(
          `The search cluster refused a document: ${refused.error?.reason ?? refused.status}`,
          refused.error?.type === 'index_not_found_exception',
        );
    }
  }

  async function writeAll(target: string, changes: { upsert: readonly Document[]; remove: readonly string[] }, requireAlias: boolean) {
    let batch: string[] = [];
    let length = 0;
    const flush = async (): Promise<void> => {
      const sent = batch;
      [batch, length] = [[], 0];
      if (sent.length > 0) await bulk(target, sent, requireAlias);
    };
    const add = async (operation: string): Promise<void> => {
      if (length + operation.length > maxRequestLength) await flush();
      batch.push(operation);
      length += operation.length;
    };
    for (const id of changes.remove) await add(`${JSON.stringify({ delete: { _id: id } })}\n`);
    for (const document of changes.upsert)
      await add(`${JSON.stringify({ index: { _id: document.id } })}\n${JSON.stringify(storedDocument(document, schema))}\n`);
    await flush();
  }

  /** The indexes with this name or alias, with the format of their documents. */
  async function indexesOf(name: string): Promise<{ index: string; format: unknown }[]> {
    const { status, body } = await cluster(`/${name}/_mapping`);
    if (status === 404) return [];
    requireOk({ status, body });
    return Object.entries(body as Record<string, { mappings?: { _meta?: { catalog?: unknown } } }>).map(([index, { mappings }]) => ({
      index,
      format: mappings?._meta?.catalog,
    }));
  }

  async function post(path: string, body?: unknown): Promise<void> {
    requireOk(await cluster(path, { method: 'POST', ...(body ? { body } : {}) }));
  }

  /** Throws unless every document that was written can be found in the new index. */
  async function requireComplete(shadow: string, documents: number): Promise<void> {
    await post(`/${shadow}/_refresh`);
    const counted = await cluster(`/${shadow}/_count`);
    requireOk(counted);
    const { count } = counted.body;
    if (count !== documents || !isFromAllShards(counted.body))
      throw new SearchUnavailable(`The new index has ${count} of ${documents} documents. It is not used; start the rebuild again.`, false);
  }

  /** Points the alias to the new index and removes the old one, in one step. */
  async function putIntoUse(shadow: string): Promise<void> {
    const old = await indexesOf(alias);
    const actions = [...old.map(({ index }) => ({ remove_index: { index } })), { add: { index: shadow, alias } }];
    try {
      await post('/_aliases', { actions });
    } catch (error) {
      // A request that is repeated because its answer was lost fails: the first one has removed the old index already.
      if (!(await indexesOf(alias)).some(({ index }) => index === shadow)) throw error;
    }
  }

  return {
    async setSchema(next) {
      schema = next;
    },
    write: (changes) => writeAll(alias, changes, true),
    async unusable() {
      const [first] = await indexesOf(alias);
      if (!first) return new SearchUnavailable('The search cluster has no index.', true);
      return first.format === formatOf(schema) ? null : new SearchUnavailable('The index is of another version.', true);
    },
    async rebuild(pages) {
      const shadow = `${shadowPrefix}${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
      // Waiting for all copies: a shard whose only copy is on a node that fails now would be lost.
      const created = await cluster(`/${shadow}?wait_for_active_shards=all&timeout=60s`, {
        method: 'PUT',
        body: indexBody(schema, shards),
      });
      // A repeated request finds the index that the first one created.
      if (!(created.status === 400 && created.body?.error?.type === 'resource_already_exists_exception')) requireOk(created);
      let documents = 0;
      try {
        for await (const page of pages) {
          await writeAll(shadow, { upsert: page, remove: [] }, false);
          documents += page.length;
        }
        await requireComplete(shadow, documents);
      } catch (error) {
        // reapShadows removes the index later if this fails.
        await cluster(`/${shadow}`, { method: 'DELETE' }).catch(() => {});
        throw error;
      }
      // After a failure the new index may be in use all the same, so only reapShadows may remove it, which looks at the alias.
      await putIntoUse(shadow);
      return { documents };
    },
    async compact() {
      // A compaction that takes longer is not a failure; the returned size shows its effect.
      await cluster(`/${alias}/_forcemerge?only_expunge_deletes=true`, {
        method: 'POST',
        timeoutMs: compactionWaitSeconds * 1000,
        once: true,
      }).then(requireOk, () => {});
      return indexStats(cluster, alias);
    },
    stats: () => indexStats(cluster, alias),
    async reapShadows(olderThanMs) {
      const { status, body } = await cluster(`/${shadowPrefix}*?expand_wildcards=open,closed`);
      requireOk({ status, body });
      const unused = Object.entries(body as Record<string, { aliases?: object; settings?: { index?: { creation_date?: string } } }>).filter(
        ([, { aliases, settings }]) =>
          Object.keys(aliases ?? {}).length === 0 && Date.now() - Number(settings?.index?.creation_date ?? Date.now()) > olderThanMs,
      );
      for (const [index] of unused) requireOk(await cluster(`/${index}`, { method: 'DELETE' }));
      return unused.length;
    },
    async close() {},
  };
}

const isBusy = (status: number): boolean => status === 429 || status === 503;
