// biome-ignore-all lint/style/noNonNullAssertion: mock data is generated here, so every lookup succeeds
import { pageFor, thumbFor, turntableFor } from './art.ts';
import { CATEGORY_LABELS, LIBRARIES, type MockItem, PRESETS, uuid } from './data.ts';
import { itemOut, treeOf } from './items.ts';
import { ago, folderRoutes, libraries, SCANS } from './libraries.ts';
import { MockProblem, type Routes } from './route.ts';
import { facetsOf, filterItems, hit, ParseError, understood } from './search.ts';

const saved = [
  {
    id: uuid(7001),
    name: 'Harbour, three years',
    params: { q: 'harbour modified:2022..2024' },
    may_edit: true,
    shared: false,
    owner_name: 'ada',
    created_at: ago(9000),
    updated_at: ago(9000),
  },
];

export function catalogRoutes(items: MockItem[]): Routes {
  // The result of the last query is cached for its next pages, so that the mock takes little CPU from the measured browser.
  const results = new Map<string, ReturnType<typeof filterItems>>();
  const filtered = (query: URLSearchParams) => {
    const key = new URLSearchParams(
      [...query].filter(([name]) => !['cursor', 'offset', 'limit', 'facets', 'histograms'].includes(name)),
    ).toString();
    const known = results.get(key) ?? filterItems(items, query);
    if (results.size >= 4) results.clear();
    results.set(key, known);
    return known;
  };
  const byId = new Map(items.map((i) => [i.id, i]));
  const one = (id: string) => {
    const found = byId.get(id);
    if (!found) throw new MockProblem(404, 'item_not_found', 'No file has this id.');
    return found;
  };
  const patchOne = (i: MockItem, body: { tags?: string[]; user_metadata?: { note?: string } }) => {
    if (body.tags) i.tags = body.tags;
    if (body.user_metadata) i.note = body.user_metadata.note ?? i.note;
    results.clear();
    return itemOut(i);
  };
  return {
    'GET /health': () => ({ status: 'ok', version: '0.1.0' }),
    'GET /version': () => ({ app_version: '0.1.0' }),
    'GET /libraries': libraries,
    'POST /libraries': ({ body }) => ({ ...libraries()[0], ...body, id: uuid(999) }),
    'PATCH /libraries/:id': ({ body, params }) => ({ ...libraries().find((l) => l.id === params['id']), ...body }),
    'DELETE /libraries/:id': () => undefined,
    'GET /libraries/:id/tree': ({ params, query }) => treeOf(items, params['id']!, query),
    'GET /libraries/:id/errors': () => ({
      count: 37,
      items: Array.from({ length: 37 }, (_, k) => ({
        id: uuid(k + 1),
        rel_path: `Clients/locked-${k}.pdf`,
        error: k < 31 ? 'The file needs a password.' : 'The file ends before its own table of contents.',
        kind: k < 31 ? 'guard' : 'corrupt',
      })),
    }),
    'GET /libraries/:id/scan-paths': () => [],
    'POST /libraries/:id/scan-paths': ({ body, params }) => ({
      id: uuid(77),
      library_id: params['id'],
      enabled: true,
      next_scan_at: null,
      watch_mode: null,
      created_at: ago(0),
      ...body,
    }),
    'GET /libraries/hash-status': () => [
      { library_id: LIBRARIES[0].id, name: 'Photos', agent_owned: false, stale: 412, rehash_pending: false, hash_scheme: 'v2' },
    ],
    'POST /libraries/:id/rehash': () => ({ job_id: uuid(3), already_queued: false }),
    'GET /libraries/:id/diagnose': ({ params }) => ({
      library_id: params['id'],
      path: { root_path: '/mnt/photos', state: 'ok', code: null, network: false },
      runs: [],
      extract_errors: { total: 37, by_kind: { guard: 31 }, top_messages: [{ message: 'The file needs a password.', count: 31 }] },
      verdicts: [
        { code: 'root', severity: 'ok', title: 'The folder can be read', detail: 'The server can read /mnt/photos.', actions: [] },
        {
          code: 'errors',
          severity: 'warning',
          title: '37 files could not be read',
          detail: 'Most need a password.',
          actions: ['Unlock them at the source, then retry.'],
        },
      ],
    }),
    'POST /libraries/:id/retry-extracts': ({ params }) => ({ library_id: params['id'], retried: 37 }),
    'POST /libraries/:id/scan': () => ({ scan_id: SCANS[0]!.id, job_id: uuid(1), status: 'queued' }),
    'POST /libraries/:id/scan/targeted': () => ({ scan_id: SCANS[0]!.id }),
    'GET /libraries/:id/explain': ({ query }) =>
      query.get('path')!.includes('node_modules')
        ? {
            verdict: 'excluded',
            reason: 'Left out by preset "Developer folders", line 1.',
            preset: 'Developer folders',
            line: 1,
            pattern: 'node_modules/',
          }
        : {
            path: query.get('path'),
            verdict: 'item',
            reason: 'Present since 3 March 2024, last seen today.',
            item: { id: uuid(1), status: 'active' },
          },
    'GET /stats/libraries': () => {
      const rows = LIBRARIES.map((l) => {
        const mine = items.filter((i) => i.library_id === l.id);
        const by: Record<string, { count: number; bytes: number }> = {};
        for (const i of mine) {
          by[i.file_category] ??= { count: 0, bytes: 0 };
          by[i.file_category]!.count += 1;
          by[i.file_category]!.bytes += i.size;
        }
        const scan = libraries().find((x) => x.id === l.id)!.last_scan as { seen: number; bytes_seen?: number };
        return {
          library_id: l.id,
          name: l.name,
          file_count: l.name === 'Family archive' ? 70_002 : scan.seen,
          total_bytes: scan.bytes_seen ?? 2.1e12,
          missing_count: 3,
          trashed_count: 0,
          by_category: by,
        };
      });
      return {
        libraries: rows,
        total_files: rows.reduce((s, r) => s + r.file_count, 0),
        total_bytes: rows.reduce((s, r) => s + r.total_bytes, 0),
      };
    },
    'GET /search/timeline': () => {
      const counts = new Map<number, number>();
      for (const i of items) {
        const d = new Date(i.mtime * 1000);
        const key = Date.UTC(d.getUTCFullYear(), d.getUTCMonth(), 1) / 1000;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      const months = [...counts]
        .sort((a, b) => b[0] - a[0])
        .map(([from, count]) => ({
          from,
          to: Date.UTC(new Date(from * 1000).getUTCFullYear(), new Date(from * 1000).getUTCMonth() + 1, 1) / 1000,
          count,
        }));
      return { date: 'modified', months, undated: 0, total: items.length };
    },
    'GET /scans': ({ query }) => {
      const rows = SCANS.filter((x) => !query.get('library_id') || x.library_id === query.get('library_id'));
      return { items: rows, total: rows.length, limit: 50, next_cursor: null };
    },
    'GET /scans/:id': ({ params }) => SCANS.find((x) => x.id === params['id']) ?? SCANS[1],
    'POST /scans/:id/stop': () => ({ status: 'stopping' }),
    'GET /scans/:a/diff/:b': () => ({
      items: Array.from({ length: 60 }, (_, k) => ({
        kind: ['added', 'changed', 'gone', 'moved', 'returned'][k % 5],
        rel_path: items[k]!.rel_path,
        from_rel_path: k % 5 === 3 ? `Inbox/${items[k]!.filename}` : null,
        size: items[k]!.size,
        item_id: items[k]!.id,
      })),
      total: 60,
      limit: 200,
      next_cursor: null,
      counts: { added: 12, changed: 12, gone: 12, moved: 12, returned: 12 },
    }),
    ...folderRoutes,
    'GET /search': ({ query }) => {
      const start = performance.now();
      try {
        const { found, words } = filtered(query);
        const limit = Math.min(200, Number(query.get('limit') ?? 50));
        const from = Number(query.get('offset') ?? query.get('cursor') ?? 0);
        return {
          hits: found.slice(from, from + limit).map((i) => hit(i, words)),
          total: found.length,
          ...(query.get('facets') === 'false' ? { facets: {}, facet_stats: {}, histograms: {}, total_bytes: null } : facetsOf(found)),
          next_cursor: from + limit < found.length ? String(from + limit) : null,
          degraded: false,
          took_ms: Math.round(performance.now() - start),
          did_you_mean: found.length ? [] : ['harbour'],
          understood: understood(query.get('q') ?? ''),
          emptied_by: [],
        };
      } catch (error) {
        if (error instanceof ParseError) throw new MockProblem(422, 'query_syntax', error.message, { position: error.position });
        throw error;
      }
    },
    'POST /query/assist': ({ body }) => {
      const dsl = /photo/i.test(body.text) ? 'kind:image size:>10m modified:2026-06-01..2026-08-31' : body.text;
      return { dsl, source: 'heuristic', filters: understood(dsl), terms: [], notes: [], llm_available: false };
    },
    'GET /search/tags': ({ query }) => {
      const counts = new Map<string, number>();
      for (const i of items) for (const t of i.tags) if (t.includes(query.get('q') ?? '')) counts.set(t, (counts.get(t) ?? 0) + 1);
      return {
        tags: [...counts]
          .map(([value, count]) => ({ value, count }))
          .sort((a, b) => b.count - a.count)
          .slice(0, 20),
      };
    },
    'GET /saved-searches': () => saved,
    'POST /saved-searches': ({ body }) => {
      const created = {
        id: uuid(7001 + saved.length),
        created_at: ago(0),
        updated_at: ago(0),
        may_edit: true,
        shared: false,
        owner_name: 'ada',
        ...body,
      };
      saved.push(created);
      return created;
    },
    'PATCH /saved-searches/:id': ({ params, body }) => Object.assign(saved.find((x) => x.id === params['id'])!, body),
    'DELETE /saved-searches/:id': ({ params }) =>
      void saved.splice(
        saved.findIndex((x) => x.id === params['id']),
        1,
      ),
    'GET /items': () => ({ items: [], total: 0, limit: 20, next_cursor: null }),
    'GET /system/about': () => ({
      application: { name: 'Catalog', version: '0.1.0', node: '24.21.0', platform: 'linux x64' },
      services: [{ name: 'PostgreSQL', version: '18.4' }],
      host_tools: [
        { name: 'ffprobe', purpose: 'video and audio facts', present: true, version: '7.1', impact: null },
        { name: 'tesseract', purpose: 'text in pictures', present: false, version: null, impact: 'Recognition is slower without it.' },
      ],
      embedding: { enabled: false },
      key_fingerprints: { secret_key: { state: 'match', stored: null, configured: null, message: null } },
    }),
    'GET /system/disk': () => ({ status: 'ok', paths: [{ label: 'data', path: '/config', total: 1e12, free: 4e11, status: 'ok' }] }),
    'GET /items/:id': ({ params }) => itemOut(one(params['id']!)),
    'PATCH /items/:id': ({ params, body }) => patchOne(one(params['id']!), body),
    'DELETE /items/:id': ({ params }) => {
      one(params['id']!).status = 'trashed';
    },
    'POST /items/:id/restore': ({ params }) => {
      one(params['id']!).status = 'active';
      return itemOut(one(params['id']!));
    },
    'POST /items/:id/touch': () => undefined,
    'POST /items/batch': ({ body }) => ({
      results: Object.fromEntries(Object.entries(body as Record<string, object>).map(([id, p]) => [id, patchOne(one(id), p) && 'ok'])),
      unchanged: [],
    }),
    'GET /items/:id/copies': ({ params }) => ({
      id: params['id'],
      count: 2,
      match: 'content',
      capped: false,
      copies: [one(params['id']!), items[5]!].map((i) => ({ ...itemOut(i) })),
    }),
    'GET /items/:id/history': () => ({
      items: [
        {
          id: '3',
          at: ago(4000),
          source: 'user',
          actor: 'ada',
          principal_id: uuid(1),
          before: { tags: ['bergen'] },
          after: { tags: ['bergen', 'final'] },
        },
        {
          id: '2',
          at: ago(9000),
          source: 'user',
          actor: 'ada',
          principal_id: uuid(1),
          before: { user_metadata: {} },
          after: { user_metadata: { note: 'Crop 3:2.' } },
        },
      ],
      total: 3,
      limit: 50,
      next_cursor: null,
    }),
    'GET /items/:id/thumb': ({ params }) => {
      const svg = thumbFor(one(params['id']!));
      if (!svg) throw new MockProblem(404, 'no_thumb', 'This file has no picture.');
      return { svg };
    },
    'GET /items/:id/pages/:page': ({ params }) => ({ svg: pageFor(one(params['id']!), Number(params['page'])) }),
    'GET /items/:id/turntable': () => ({ svg: turntableFor() }),
    'GET /items/:id/text': ({ params }) => {
      const { body } = one(params['id']!);
      if (!body) throw new MockProblem(404, 'no_text', 'This file has no text.');
      return { text: Array.from({ length: 12 }, () => body).join('\n\n\f'), truncated: true, source: 'body' };
    },
    'GET /items/:id/similar': ({ params }) => ({
      id: params['id'],
      by: 'words',
      hits: items.slice(20, 28).map((i) => ({ ...hit(i, []), similarity: 0.6 })),
    }),
    'POST /items/:id/digests': ({ params }) => ({
      id: params['id'],
      digests: {
        md5: 'd41d8cd98f00b204e9800998ecf8427e',
        sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
        sha512: 'cf83e1357eefb8bd'.repeat(8),
      },
      computed: ['md5', 'sha1', 'sha512'],
    }),
    'GET /custom-fields': () => [
      {
        id: uuid(1),
        name: 'project',
        label: 'Project',
        data_type: 'string',
        select_options: null,
        applies_to: [],
        library_ids: [],
        facetable: true,
        sortable: false,
        required: false,
        created_at: ago(1),
      },
      {
        id: uuid(2),
        name: 'rating',
        label: 'Rating',
        data_type: 'integer',
        select_options: null,
        applies_to: [],
        library_ids: [],
        facetable: true,
        sortable: true,
        required: false,
        created_at: ago(1),
      },
    ],
    'GET /presets': () => ({ presets: PRESETS, extension_groups: [] }),
    'POST /presets': ({ body }) => ({ ...body, builtin: false, default_enabled: false }),
    'PATCH /presets/:name': ({ body }) => ({ ...PRESETS[3], ...body }),
    'DELETE /presets/:name': () => {
      throw new MockProblem(409, 'preset_in_use', 'Two libraries use this preset: Photos and Studio. Take it out there first.');
    },
    'POST /presets/:name/fork': ({ body }) => ({ ...PRESETS[0], ...body, builtin: false }),
    'GET /taxonomy': () => ({
      version: 12,
      tree: CATEGORY_LABELS.map(([key, label, exts]) => ({
        key,
        label,
        description: '',
        extractor: null,
        is_builtin: true,
        groups: [
          { key: `${key}-main`, label: `${label} files`, is_builtin: true, extensions: exts },
          { key: `${key}-more`, label: 'Less common', is_builtin: true, extensions: exts.map((e) => `x${e}`) },
        ],
      })),
    }),
    'POST /taxonomy/categories': ({ body }) => body,
    'POST /taxonomy/groups': ({ body }) => body,
    'PATCH /taxonomy/categories/:key': ({ body }) => body,
    'PATCH /taxonomy/groups/:key': ({ body }) => body,
    'DELETE /taxonomy/categories/:key': () => ({ deleted: true }),
    'DELETE /taxonomy/groups/:key': () => ({ deleted: true }),
    'POST /taxonomy/groups/:key/extensions': ({ body, params }) => ({ ext: body.ext, group: params['key'], previous_group: null }),
    'DELETE /taxonomy/groups/:key/extensions/:ext': () => ({ removed: true }),
  };
}
