import { openReader } from '@catalog/engine';

/** Nothing but the engine on the same index, asked the same words: what it needs beyond an empty process is the engine's own memory. */
const [, , directory, texts] = process.argv as [string, string, string, string];
const empty = process.memoryUsage().rss;
const reader = await openReader(directory);
const asked = JSON.parse(texts) as string[];
const facets = ['library_id', 'file_category', 'file_group', 'extension', 'year_text', 'tag', 'has'];
const ask = (text: string) => reader.search({ text, facets, stats: ['size', 'mtime'], matches: ['filename', 'body_text'], limit: 50 });
for (const text of asked) await ask(text);
// Several at once, so that every search thread has worked.
for (let at = 0; at < asked.length; at += 25) await Promise.all(asked.slice(at, at + 25).map(ask));
process.send!({ bytes: process.memoryUsage().rss - empty });
await reader.close();
