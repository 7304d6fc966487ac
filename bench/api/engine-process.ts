/** Runs only the engine on the same index with the same queries, and reports how much memory it adds to an empty process. */
import { openReader } from '@catalog/engine';

const [, , directory, texts] = process.argv as [string, string, string, string];
const emptyRss = process.memoryUsage().rss;
const reader = await openReader(directory);
const queries = JSON.parse(texts) as string[];
const facets = ['library_id', 'file_category', 'file_group', 'extension', 'year_text', 'tag', 'has'];
const search = (text: string) => reader.search({ text, facets, stats: ['size', 'mtime'], matches: ['filename', 'body_text'], limit: 50 });
for (const text of queries) await search(text);
// Concurrent queries, so that every search thread allocates its memory.
for (let at = 0; at < queries.length; at += 25) await Promise.all(queries.slice(at, at + 25).map(search));
process.send?.({ bytes: process.memoryUsage().rss - emptyRss });
await reader.close();
