import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf, newApiKey } from '../src/people/identity/credentials.ts';
import { type ProviderPerson, signInWithProvider } from '../src/people/identity/index.ts';
import { addPerson, type Grant } from './catalog-rows.ts';
import { embedItems } from './embed-items.ts';
import { createIndexedApp, type IndexedApp } from './indexed-app.ts';
import { until } from './service.ts';
import { writeTinyModel } from './tiny-model.ts';

/**
 * Who × route × what: every kind of caller asks every route that shows, counts or serves items for every item, and is held against a plain
 * reading of the rule (longest path wins, deny wins ties, no grant means no), written here a second time.
 */
const paths = ['top.pdf', 'a/one.pdf', 'a/private/two.pdf', 'a/private/open/three.pdf', 'a/privately/four.pdf', 'ab/five.pdf', 'b/six.pdf'];
const words = [
  'zebra',
  'yacht',
  'xylem',
  'walrus',
  'violin',
  'umber',
  'tundra',
  'sphinx',
  'raven',
  'quartz',
  'pelican',
  'osprey',
  'nectar',
  'maple',
];

/** A list that lets everybody read, with a group that nobody knows, and one that lets only the owner. */
const readableByAll = { uid: 0, gid: 54_321, mode: 0o644, fidelity: 'posix_mode_only', access: null, default: null, nfs: null, nt: null };
const ownerOnly = { ...readableByAll, mode: 0o700 };

interface Thing {
  id: string;
  library: string;
  path: string;
  word: string;
  secret: string;
}
interface Caller {
  name: string;
  key: string;
  may(action: string, library: string, path: string): boolean;
  /** Nothing restricts this caller, now or later. */
  everything?: boolean;
  /** The key has the scope read only. */
  readOnly?: boolean;
}

let t: IndexedApp;
let photos: string;
let studio: string;
const things: Thing[] = [];
/** The newest run of each library, and the one before it. */
const runs = new Map<string, string>();
const earlier = new Map<string, string>();
const callers: Caller[] = [];
/** Missing items with tags whose bytes are also in an active item. */
const lost: { library: string; missing: { id: string; path: string }; copy: Thing }[] = [];
let cases = 0;

const inside = (path: string, folder: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`);

/** The rule, read plainly. */
function decide(rules: readonly Grant[], ceiling: readonly string[], action: string, library: string, path: string): boolean {
  if (!ceiling.includes(action)) return false;
  const fitting = rules.filter(([lib, folder, what]) => lib === library && what === action && inside(path, folder));
  const longest = Math.max(-1, ...fitting.map(([, folder]) => folder.length));
  const best = fitting.filter(([, folder]) => folder.length === longest);
  return best.length > 0 && best.every(([, , , effect = 'allow']) => effect === 'allow');
}

const ceilings = {
  user: ['search_metadata', 'search_content', 'download', 'edit_metadata', 'view_permissions'],
  viewer: ['search_metadata', 'search_content'],
};

async function person(name: string, grants: Grant[], role: 'user' | 'viewer' = 'user'): Promise<void> {
  const { key } = await addPerson(t.deps, grants, role);
  callers.push({
    name,
    key,
    may: (action, library, path) => decide(grants, ceilings[role], action, library, path),
    readOnly: role === 'viewer',
  });
}

/** A person whose rights come only from groups that a sign-in provider reports; the last sign-in decides. */
async function providerPerson(
  name: string,
  provider: 'oidc' | 'ldap',
  signIns: string[][],
  grants: Record<string, Grant[]>,
): Promise<void> {
  for (const [group, rules] of Object.entries(grants)) {
    await sql`insert into principal_groups (name, external_name) values (${group}, ${group}) on conflict do nothing`.execute(t.deps.db);
    for (const [library, folder, action, effect = 'allow'] of rules)
      await sql`insert into grants (group_id, library_id, rel_path, action, effect)
        select id, ${library}, ${folder}, ${action}, ${effect} from principal_groups where name = ${group} on conflict do nothing`.execute(
        t.deps.db,
      );
  }
  const person: Omit<ProviderPerson, 'groups'> = {
    provider,
    issuer: 'https://id.example.org',
    subject: name,
    username: name,
    email: null,
    verifiedEmail: null,
    displayName: null,
    role: { name: 'user', reason: 'default role' },
  };
  let id = '';
  for (const groups of signIns) {
    const reported = { ...person, groups: groups.map((group) => ({ id: group, name: group })) };
    ({ id } = await signInWithProvider(t.deps.db, reported, { autoProvision: true, linkByEmail: false }, { principalId: null, ip: '' }));
  }
  const { key, prefix } = newApiKey();
  await sql`insert into api_keys (name, prefix, key_hash, scopes, principal_id) values (${name}, ${prefix}, ${digestOf(key)}, '{write}', ${id})`.execute(
    t.deps.db,
  );
  const rules = (signIns.at(-1) ?? []).flatMap((group) => grants[group] ?? []);
  callers.push({ name, key, may: (action, library, path) => decide(rules, ceilings.user, action, library, path) });
}

async function serviceKey(name: string, libraries: string[] | null, pathScope: string | null, account = name): Promise<void> {
  const { key, prefix } = newApiKey();
  await sql`insert into service_accounts (name) values (${account}) on conflict do nothing`.execute(t.deps.db);
  await sql`insert into api_keys (name, prefix, key_hash, scopes, service_account_id, libraries, path_scope)
    select ${name}, ${prefix}, ${digestOf(key)}, '{read}', id, ${libraries}::uuid[], ${pathScope}
    from service_accounts where name = ${account}`.execute(t.deps.db);
  const may = (_: string, library: string, path: string) =>
    (libraries === null || libraries.includes(library)) && (pathScope === null || inside(path, pathScope));
  callers.push({ name, key, may, readOnly: true });
}

beforeAll(async () => {
  t = await createIndexedApp({ SVC_AGENTS_ENABLED: 'true', SVC_SEMANTIC_ENABLED: 'true', SVC_EMBED_MODEL: writeTinyModel() });
  photos = await t.addLibrary('Photos', { passages: true });
  studio = await t.addLibrary('Studio', { passages: true });
  for (const [at, library] of [photos, studio].entries()) {
    const own = paths.map((path, n) => ({ path, word: words[at * paths.length + n]! }));
    const ids = await t.addItems(
      library,
      own.map(({ path, word }) => ({
        path,
        title: `${word} chart`,
        tags: [`tag-${word}`],
        body: `hidden${word} text`,
        metadata: { [`fact_${word}`]: 1 },
        contentHash: 'ab'.repeat(32),
      })),
    );
    for (const [n, each] of own.entries()) things.push({ id: ids[n]!, library, ...each, secret: `hidden${each.word}` });
  }
  for (const library of [photos, studio]) {
    const copy = things.find((thing) => thing.library === library && thing.path === 'a/private/two.pdf')!;
    const contentHash = (library === photos ? 'a' : 'b').repeat(64);
    await sql`update items set content_hash = ${contentHash} where id = ${copy.id}`.execute(t.deps.db);
    const [id] = await t.addItems(library, [{ path: 'b/lost.pdf', status: 'missing', contentHash, userMetadata: { note: 'kept' } }]);
    lost.push({ library, missing: { id: id!, path: 'b/lost.pdf' }, copy });
  }
  for (const library of [photos, studio])
    for (const place of [earlier, runs]) {
      const { rows } = await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, finished_at, stats)
        values (${library}, 'finished', 'done', now(), '{"seen": 7, "new": 7, "bytes_seen": 7000}') returning id`.execute(t.deps.db);
      place.set(library, rows[0]!.id);
    }
  await sql`insert into scan_changes (run_id, library_id, item_id, kind, rel_path) select r.id, i.library_id, i.id, 'added', i.rel_path
    from items i join scan_runs r on r.library_id = i.library_id and r.id = any(${[...runs.values()]}::uuid[])`.execute(t.deps.db);
  await sql`insert into integrity_events (item_id, library_id, rel_path, size, mtime_ns, expected_hash, found_hash, found_quick_hash)
    select id, library_id, rel_path, size, mtime_ns, content_hash, repeat('f', 64), 'f' from items where status = 'active'`.execute(
    t.deps.db,
  );
  await sql`with a as (insert into file_acls (digest, acl) values ('\\x00', ${JSON.stringify(readableByAll)}::jsonb) returning id),
    p as (insert into access_paths (acl_ids) values ('{}') returning id),
    c as (insert into access_classes (acl_id, path_id) select a.id, p.id from a, p returning id)
    update items set access_class = c.id from c where status = 'active'`.execute(t.deps.db);
  await sql`with a as (insert into file_acls (digest, acl) values ('\\x01', ${JSON.stringify(ownerOnly)}::jsonb) returning id),
    f as (update folders set acl_id = a.id from a)
    insert into permission_changes (library_id, item_id, before_acl, after_acl)
    select i.library_id, i.id, a.id, c.acl_id from a, items i join access_classes c on c.id = i.access_class`.execute(t.deps.db);
  await t.request('POST', '/report-schedules', { name: 'Weekly', canned_report_key: 'kinds', cron: '0 6 * * 1' });
  await t.request('PUT', '/report-pins/kinds');
  await t.waitForIndex();
  await t.waitForPassages();
  await embedItems(t);
  await t.waitForPassages();
  const byMeaning = async () => (await t.request('GET', '/search/passages?q=vessel&semantic=1')).json();
  await until(async () => (await byMeaning()).total === things.length, 'every passage to be found by meaning');
  callers.push({ name: 'an administrator’s key', key: t.keys.admin, may: () => true, everything: true });
  callers.push({ name: 'a service account that reads', key: t.keys.read, may: () => true, everything: true, readOnly: true });
  await serviceKey('a key limited to one library', [photos], null);
  await serviceKey('a key limited to a folder', null, 'a/private');
  await serviceKey('a key limited to a folder of one library', [studio], 'a');
  // Rights are cached per caller: two keys of one account must not share them.
  await serviceKey('one key of an account', [photos], 'b', 'an account with two keys');
  await serviceKey('another key of the same account', [studio], null, 'an account with two keys');
  const all = (library: string, folder: string): Grant[] =>
    ['search_metadata', 'search_content', 'download'].map((action): Grant => [library, folder, action]);
  await person('a person without grants', []);
  await person('a person with one library', all(photos, ''));
  await person('a person with a folder', all(photos, 'a'));
  await person('an auditor of a folder', [
    ...all(photos, ''),
    [photos, 'a', 'view_permissions'],
    [photos, 'a/private', 'view_permissions', 'deny'],
  ]);
  await person('a person with a folder but not its private part', [...all(photos, 'a'), [photos, 'a/private', 'search_metadata', 'deny']]);
  await person('denied inside, allowed again deeper', [
    ...all(photos, ''),
    [photos, 'a/private', 'search_metadata', 'deny'],
    [photos, 'a/private/open', 'search_metadata'],
  ]);
  await person('allowed and denied at one place', [...all(studio, 'b'), [studio, 'b', 'search_metadata', 'deny']]);
  await person('facts but not content', [
    [photos, '', 'search_metadata'],
    [studio, '', 'search_metadata'],
  ]);
  await person('content in one library, facts in both', [...all(photos, ''), [studio, '', 'search_metadata']]);
  await person('content without facts', [
    [photos, '', 'search_content'],
    [photos, '', 'download'],
  ]);
  const byGroup = {
    draughtsmen: all(photos, 'a'),
    archive: all(studio, 'b'),
    auditors: [[photos, 'a/private', 'search_metadata', 'deny'] as Grant],
  };
  await providerPerson('a person in two groups of an OpenID provider', 'oidc', [['draughtsmen', 'archive']], byGroup);
  await providerPerson('a person in a group that denies a folder', 'ldap', [['draughtsmen', 'auditors']], byGroup);
  await providerPerson('a person who left a group of the provider', 'oidc', [['draughtsmen', 'archive'], ['archive']], byGroup);
  await providerPerson('a person whose groups are unknown here', 'ldap', [['strangers']], byGroup);
  await person('a viewer who was granted downloads', [...all(photos, 'a')], 'viewer');
});
afterAll(() => t.close());

const get = async (caller: Caller, url: string) => t.request('GET', url, undefined, { as: caller.key });
const post = async (caller: Caller, url: string, body: unknown) => t.request('POST', url, body, { as: caller.key });

/** Checks all items at the same time, because a request mostly waits for the database and the index. */
const everyThing = (check: (thing: Thing) => Promise<void>) => Promise.all(things.map(check));

/** One comparison; its name is what a failure shows. */
function same(caller: Caller, route: string, what: string, actual: unknown, expected: unknown): void {
  cases += 1;
  expect(actual, `${caller.name} × ${route} × ${what}`).toEqual(expected);
}

async function listsAndCounts(caller: Caller): Promise<void> {
  const sees = (thing: Thing): boolean => caller.may('search_metadata', thing.library, thing.path);
  const visible = things.filter(sees);
  const search = (await get(caller, '/search?limit=200&histograms=true')).json();
  const found = new Set(search.hits.map((hit: { id: string }) => hit.id));
  const listed = new Set((await get(caller, '/items?limit=200')).json().items.map(({ id }: { id: string }) => id));
  const tags = new Set((await get(caller, '/search/tags?q=tag-&limit=50')).json().tags.map(({ value }: { value: string }) => value));
  const federated = new Set(
    (await get(caller, '/search/federated?q=chart&limit=100')).json().hits.map(({ item_id }: { item_id: string }) => item_id),
  );
  // No word of the query is in any item, so only meaning can find something, and it is near everything.
  const meaning = (await get(caller, '/search?q=vessel&semantic=1&limit=200')).json();
  const near = new Set(meaning.hits.map((hit: { id: string }) => hit.id));
  const passages = new Set(
    (await get(caller, '/search/passages?q=vessel&semantic=1&limit=100')).json().files.map(({ item_id }: { item_id: string }) => item_id),
  );
  const both = (await get(caller, '/search/federated?q=vessel&semantic=1&limit=100')).json().hits as { item_id: string; source: string }[];
  const reads = (thing: Thing): boolean => sees(thing) && caller.may('search_content', thing.library, thing.path);
  const preview = (await t.request('POST', '/query/preview', { query: 'ext:pdf', limit: 50 }, { as: caller.key })).json();
  const previewed = new Set(preview.rows.map(({ item_id }: { item_id: string }) => item_id));
  const facts = new Set((await get(caller, '/query/keys')).json().meta_keys.map(({ key }: { key: string }) => key));
  const globbed = new Set(
    (await get(caller, `/search?limit=200&q=${encodeURIComponent('path:*.pdf OR path:**.pdf')}`))
      .json()
      .hits.map((hit: { id: string }) => hit.id),
  );
  for (const thing of things) {
    const what = `${thing.path} in ${thing.library === photos ? 'Photos' : 'Studio'}`;
    const expected = sees(thing);
    same(caller, 'GET /search', what, found.has(thing.id), expected);
    same(caller, 'GET /search by meaning', what, near.has(thing.id), reads(thing));
    same(caller, 'GET /search/passages by meaning', what, passages.has(thing.id), reads(thing));
    const sources = both.filter(({ item_id }) => item_id === thing.id).map(({ source }) => source);
    same(caller, 'GET /search/federated by meaning', what, sources.sort(), reads(thing) ? ['items', 'passages'] : []);
    same(caller, 'GET /search by meaning, facets', what, meaning.facets.tags[`tag-${thing.word}`] ?? 0, reads(thing) ? 1 : 0);
    same(caller, 'GET /search facets', what, search.facets.tags[`tag-${thing.word}`] ?? 0, expected ? 1 : 0);
    same(caller, 'GET /search through the database', what, globbed.has(thing.id), expected);
    same(caller, 'GET /items', what, listed.has(thing.id), expected);
    same(caller, 'GET /search/tags', what, tags.has(`tag-${thing.word}`), expected);
    same(caller, 'GET /search/federated', what, federated.has(thing.id), expected);
    same(caller, 'POST /query/preview', what, previewed.has(thing.id), expected);
    same(caller, 'GET /query/keys', what, facts.has(`fact_${thing.word}`), expected);
  }
  same(caller, 'GET /search total', 'all', search.total, visible.length);
  same(caller, 'GET /search by meaning, total', 'all', meaning.total, things.filter(reads).length);
  const bars = (field: string): number => search.histograms[field].reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  same(caller, 'GET /search histograms', 'size', bars('size'), visible.length);
  same(caller, 'GET /search histograms', 'mtime', bars('mtime'), visible.length);
  const months = (await get(caller, '/search/timeline?date=modified')).json();
  same(caller, 'GET /search/timeline', 'all', [months.total, months.months[0]?.count ?? 0], [visible.length, visible.length]);
  same(caller, 'GET /search total_bytes', 'all', search.total_bytes, visible.length * 1000);
  const dashboard = (await get(caller, '/stats')).json();
  same(caller, 'GET /stats by_type', 'all', dashboard.by_type.document?.count ?? 0, visible.length);
  same(caller, 'GET /stats extract', 'all', dashboard.extract.depth + dashboard.extract.done + dashboard.extract.failed, 0);
  same(caller, 'GET /stats whole index', 'all', 'meili' in dashboard || 'thumbs' in dashboard, caller.everything ?? false);
  same(caller, 'POST /query/preview total', 'all', preview.total, visible.length);
  const stats = (await get(caller, '/stats/libraries')).json();
  same(caller, 'GET /stats/libraries total', 'all', stats.total_files, visible.length);
  const timeline = (await get(caller, '/stats/timeline')).json();
  same(
    caller,
    'GET /stats/timeline',
    'all',
    timeline.buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0) + timeline.invalid_count,
    visible.length,
  );
  for (const library of [photos, studio]) {
    const name = library === photos ? 'Photos' : 'Studio';
    const inLibrary = visible.filter((thing) => thing.library === library).length;
    same(caller, 'GET /search facets', name, search.facets.library_id[library] ?? 0, inLibrary);
    same(
      caller,
      'GET /stats/libraries',
      name,
      stats.libraries.find(({ library_id }: { library_id: string }) => library_id === library)?.file_count ?? 0,
      inLibrary,
    );
    const tree = await get(caller, `/libraries/${library}/tree`);
    const counted =
      tree.statusCode === 200
        ? tree.json().total_items + tree.json().folders.reduce((sum: number, each: { item_count: number }) => sum + each.item_count, 0)
        : 0;
    same(caller, 'GET /libraries/{id}/tree', name, counted, inLibrary);
    await runsOf(caller, library, name, inLibrary);
  }
}

/** Runs: who sees nothing of a library does not know of its runs; who sees a part of it learns no count of the whole. */
async function runsOf(caller: Caller, library: string, name: string, inLibrary: number): Promise<void> {
  const run = runs.get(library)!;
  const whole =
    inLibrary === paths.length &&
    things.filter((thing) => thing.library === library).every((thing) => caller.may('search_metadata', library, thing.path));
  const enters = inLibrary > 0;
  const listed = (await get(caller, `/scans?library_id=${library}`)).json().items;
  same(caller, 'GET /scans', name, listed.length, enters ? 2 : 0);
  const one = await get(caller, `/scans/${run}`);
  same(caller, 'GET /scans/{id}', name, one.statusCode, enters ? 200 : 404);
  same(caller, 'GET /scans/{id} counts', name, enters ? [one.json().seen, one.json().stages.walk.done] : [0, 0], whole ? [7, 7] : [0, 0]);
  const events = await get(caller, `/scans/${run}/events`);
  same(caller, 'GET /scans/{id}/events', name, events.statusCode, enters ? 200 : 404);
  same(caller, 'GET /scans/{id}/events counts', name, /"seen":7/.test(events.body), whole);
  const shown = (await get(caller, '/libraries')).json().find(({ id }: { id: string }) => id === library);
  same(caller, 'GET /libraries', name, shown === undefined, !enters);
  same(caller, 'GET /libraries last_scan', name, shown?.last_scan?.seen ?? 0, whole ? 7 : 0);
  const hashes = (await get(caller, '/libraries/hash-status'))
    .json()
    .some(({ library_id }: { library_id: string }) => library_id === library);
  same(caller, 'GET /libraries/hash-status', name, hashes, whole);
  const unattached = (await get(caller, '/items/unattached')).json().items as { id: string; candidates: { id: string }[] }[];
  for (const { missing, copy } of lost.filter((pair) => pair.library === library)) {
    const entry = unattached.find(({ id }) => id === missing.id);
    const seesBoth = [missing, copy].every(({ path }) => caller.may('search_metadata', library, path));
    same(
      caller,
      'GET /items/unattached',
      `${missing.path} in ${name}`,
      entry?.candidates.map(({ id }) => id) ?? [],
      seesBoth ? [copy.id] : [],
    );
    const attach = await t.request('POST', `/items/${missing.id}/attach`, { to: missing.id }, { as: caller.key });
    same(caller, 'POST /items/{id}/attach', `${missing.path} in ${name}`, attach.statusCode === 200, false);
  }
  const other = earlier.get(library)!;
  const diff = await get(caller, `/scans/${other}/diff/${run}`);
  const lines = await get(caller, `/scans/${other}/diff/${run}?format=ndjson`);
  for (const thing of things.filter((each) => each.library === library)) {
    const sees = caller.may('search_metadata', library, thing.path);
    const inDiff = diff.statusCode === 200 && diff.json().items.some(({ item_id }: { item_id: string }) => item_id === thing.id);
    same(caller, 'GET /scans/{id}/diff/{id}', `${thing.path} in ${name}`, inDiff, sees);
    same(caller, 'GET /scans/{id}/diff/{id} as NDJSON', `${thing.path} in ${name}`, lines.body.includes(thing.id), sees);
    const explained = await get(caller, `/libraries/${library}/explain?path=${encodeURIComponent(thing.path)}`);
    same(caller, 'GET /libraries/{id}/explain', `${thing.path} in ${name}`, explained.statusCode, sees ? 200 : 404);
  }
}

/** Reports and exports: every report that lists or counts files, as a page and as a file, which needs the right to download as well. */
async function reportsOf(caller: Caller): Promise<void> {
  const sees = (thing: Thing): boolean => caller.may('search_metadata', thing.library, thing.path);
  const downloads = (thing: Thing): boolean => sees(thing) && caller.may('download', thing.library, thing.path);
  const total = (rows: { file_count: number }[]): number => rows.reduce((sum, row) => sum + row.file_count, 0);
  const anything = things.some((thing) => caller.may('download', thing.library, thing.path));
  const report = async (id: string, query = '') => (await get(caller, `/reports/${id}${query}`)).json();
  const visible = things.filter(sees).length;
  // All files have the same content, except the one whose twin is missing.
  const isCopy = ({ path }: Thing): boolean => path !== 'a/private/two.pdf';
  const visibleCopies = things.filter((thing) => sees(thing) && isCopy(thing)).length;
  const pages = new Map<string, string>();
  for (const id of ['largest_files', 'stale_files', 'changes', 'unhashed_files', 'duplicate_files_detail', 'possible_bit_rot'])
    pages.set(`GET /reports/${id}`, JSON.stringify(await report(id, id === 'stale_files' ? '?threshold_days=1' : '')));
  pages.set(
    'POST /custom-reports/preview',
    (await t.request('POST', '/custom-reports/preview', { columns: ['title'], limit: 100 }, { as: caller.key })).body,
  );
  await plansOf(caller);
  const files = new Map<string, string>();
  for (const id of ['largest_files', 'unhashed_files'])
    files.set(`GET /reports/${id} as CSV`, (await get(caller, `/reports/${id}?format=csv`)).body);
  files.set('GET /search/export', (await get(caller, '/search/export?q=ext:pdf')).body);
  files.set(
    'GET /libraries/{id}/export',
    (await Promise.all([photos, studio].map(async (library) => (await get(caller, `/libraries/${library}/export`)).body))).join(),
  );
  for (const thing of things) {
    const library = thing.library === photos ? 'Photos' : 'Studio';
    const place = `/media/${library}/${thing.path}`;
    for (const [route, body] of pages)
      same(
        caller,
        route,
        `${thing.path} in ${library}`,
        body.includes(route.startsWith('POST') ? `${thing.word} chart` : JSON.stringify(place)),
        // A group needs two visible copies.
        sees(thing) && (!route.endsWith('detail') || (isCopy(thing) && visibleCopies > 1)),
      );
    for (const [route, body] of files) same(caller, route, `${thing.path} in ${library}`, body.includes(`,${place}`), downloads(thing));
  }
  same(
    caller,
    'GET /reports as CSV without any download right',
    'all',
    (await get(caller, '/reports/kinds?format=csv')).statusCode,
    anything ? 200 : 403,
  );
  for (const id of ['library_totals', 'kinds', 'ages', 'unmapped_extensions', 'tags'])
    same(caller, `GET /reports/${id}`, 'all', total((await report(id)).rows), id === 'unmapped_extensions' ? 0 : visible);
  const health = (await report('library_health')).rows.reduce((sum: number, row: { items: number }) => sum + row.items, 0);
  same(caller, 'GET /reports/library_health', 'all', health, visible);
  const grown = (await report('growth')).rows.reduce((sum: number, row: { change_files: number }) => sum + row.change_files, 0);
  same(caller, 'GET /reports/growth', 'all', grown, visible);
  const copies = (await report('duplicate_files')).rows.reduce((sum: number, row: { copies: number }) => sum + row.copies, 0);
  same(caller, 'GET /reports/duplicate_files', 'all', copies, visibleCopies > 1 ? visibleCopies : 0);
  const inFolders = (await report('largest_folders')).rows.filter(({ depth }: { depth: number }) => depth === 1);
  const nested = things.filter((thing) => sees(thing) && thing.path.includes('/')).length;
  same(caller, 'GET /reports/largest_folders', 'all', total(inFolders), nested);
  same(caller, 'GET /reports/folder-tree', 'libraries', total((await get(caller, '/reports/folder-tree')).json().children), visible);
  for (const library of [photos, studio]) {
    const level = await get(caller, `/reports/folder-tree?library_id=${library}`);
    const inLibrary = things.filter((thing) => thing.library === library && sees(thing)).length;
    same(
      caller,
      'GET /reports/folder-tree',
      library === photos ? 'Photos' : 'Studio',
      level.statusCode === 200 ? total(level.json().children) : 0,
      inLibrary,
    );
  }
}

/** Cleanup plans and integrity: a group needs two visible copies, and a list needs the right to download. */
async function plansOf(caller: Caller): Promise<void> {
  const isCopy = ({ path }: Thing): boolean => path !== 'a/private/two.pdf';
  const sees = (thing: Thing): boolean => caller.may('search_metadata', thing.library, thing.path);
  const downloads = (thing: Thing): boolean => sees(thing) && caller.may('download', thing.library, thing.path);
  const seen = things.filter((thing) => sees(thing) && isCopy(thing));
  const { groups } = (await get(caller, '/duplicates/groups')).json();
  const copies = groups.reduce((sum: number, group: { copies: number }) => sum + group.copies, 0);
  same(caller, 'GET /duplicates/groups', 'all', copies, seen.length > 1 ? seen.length : 0);
  const whole = (await t.request('GET', '/duplicates/groups')).json().groups[0].key;
  const group = (await get(caller, `/duplicates/groups/${whole}`)).body;
  const list = (await get(caller, '/duplicates/plan/list')).body;
  const plan = await get(caller, '/duplicates/plan');
  // The folders of this test do not exist.
  const entered = [photos, studio].filter((library) => things.some((thing) => thing.library === library && sees(thing)));
  same(caller, 'GET /duplicates/plan', 'offline', plan.json().offline.sort(), entered.sort());
  const script = (await get(caller, '/duplicates/script')).json().code;
  same(caller, 'GET /duplicates/script', 'not reviewed', script, 'plan_not_reviewed');
  const schedules = (await get(caller, '/report-schedules')).json();
  same(caller, 'GET /report-schedules', 'of an administrator', schedules.length, caller.key === t.keys.admin ? 1 : 0);
  const pins = (await get(caller, '/report-pins')).json().reports;
  same(caller, 'GET /report-pins', 'of an administrator', pins, caller.key === t.keys.admin ? ['kinds'] : []);
  const verified = (await get(caller, '/integrity')).json();
  const files = verified.libraries.reduce((sum: number, library: { files: number }) => sum + library.files, 0);
  same(caller, 'GET /integrity', 'all', [files, verified.open_events], [things.filter(sees).length, things.filter(sees).length]);
  const damaged = (await get(caller, '/integrity/events?limit=200')).json().events as { item_id: string }[];
  for (const thing of things) {
    const where = `${thing.path} in ${thing.library === photos ? 'Photos' : 'Studio'}`;
    same(caller, 'GET /duplicates/groups/{key}', where, group.includes(thing.id), sees(thing) && isCopy(thing) && seen.length > 1);
    same(caller, 'GET /integrity/events', where, damaged.filter(({ item_id }) => item_id === thing.id).length, sees(thing) ? 1 : 0);
    const inList = list.includes(`/media/${thing.library === photos ? 'Photos' : 'Studio'}/${thing.path}`);
    const listed = things.filter((each) => downloads(each) && isCopy(each)).length > 1;
    same(caller, 'GET /duplicates/plan/list', where, inList, downloads(thing) && isCopy(thing) && listed);
  }
}

/** Permissions of files are told only where a caller may see them. */
async function permissionsOf(caller: Caller): Promise<void> {
  const audits = ({ library, path }: Thing): boolean =>
    caller.may('search_metadata', library, path) && caller.may('view_permissions', library, path);
  const audited = things.filter(audits).length;
  for (const query of ['world_readable=true', 'principal=everyone', 'q=owner:root'])
    same(caller, 'GET /search by permissions', query, (await get(caller, `/search?facets=false&${query}`)).json().total, audited);
  const readable = (await get(caller, '/permissions/readable-folders?principal=everyone')).json();
  same(caller, 'GET /permissions/readable-folders', 'all', readable.allowed, audited);
  const past = (await get(caller, `/permissions/readable-folders?principal=everyone&at=${new Date().toISOString()}`)).json();
  same(caller, 'GET /permissions/readable-folders on a date', 'all', past.allowed, audited);
  const { changes } = (await get(caller, '/permissions/person-changes?principal=everyone')).json() as { changes: { files: number }[] };
  const gained = changes.reduce((sum, { files }) => sum + files, 0);
  same(caller, 'GET /permissions/person-changes', 'all', gained, audited);
  for (const { library, path } of things) {
    const folder = path.split('/').slice(0, -1).join('/');
    const below = things.filter(
      (each) => each.library === library && (folder === '' || each.path.startsWith(`${folder}/`)) && audits(each),
    );
    const query = new URLSearchParams({ principal: 'everyone', library_id: library, folder });
    const answer = await get(caller, `/permissions/folder-reasons?${query}`);
    const told = answer.statusCode === 200 ? (answer.json().files as { files: number }[]).reduce((sum, { files }) => sum + files, 0) : 0;
    same(caller, 'GET /permissions/folder-reasons', `${folder || 'the library'} of ${path}`, told, below.length);
  }
  const principals = (await get(caller, '/search/principals')).json().principals as { count: number }[];
  same(caller, 'GET /search/principals', 'all', Math.max(0, ...principals.map(({ count }) => count)), audited);
  await permissionReportsOf(caller, audits, audited);
}

async function permissionReportsOf(caller: Caller, audits: (thing: Thing) => boolean, audited: number): Promise<void> {
  const total = async (report: string, column: 'file_count' | 'files' | 'readable'): Promise<number> =>
    ((await get(caller, `/reports/${report}`)).json().rows as Record<string, number>[]).reduce((sum, row) => sum + (row[column] ?? 0), 0);
  same(
    caller,
    'GET /reports/permissions_by_principal',
    'all',
    await total('permissions_by_principal?principal=root', 'file_count'),
    audited,
  );
  const folders = 'permissions_readable_folders?principal=everyone';
  for (const column of ['file_count', 'readable'] as const)
    same(caller, 'GET /reports/permissions_readable_folders', column, await total(folders, column), audited);
  same(caller, 'GET /reports/permissions_orphaned', 'all', await total('permissions_orphaned', 'file_count'), audited);
  same(caller, 'GET /reports/permissions_mixed_folders', 'all', await total('permissions_mixed_folders', 'files'), audited);
  for (const report of [
    'permissions_broad_access',
    `permissions_past_access?principal=everyone&on=${new Date().toISOString()}`,
    'permissions_difference?principal=root&other_principal=S-1-5-21-1-2-3-4',
    'sensitive_world_readable?words=text',
    'permissions_explicit_outliers',
    'permission_changes',
  ]) {
    const page = (await get(caller, `/reports/${report}`)).body;
    for (const thing of things) {
      const library = thing.library === photos ? 'Photos' : 'Studio';
      const reads = !report.startsWith('sensitive') || caller.may('search_content', thing.library, thing.path);
      const listed = page.includes(JSON.stringify(`/media/${library}/${thing.path}`));
      same(caller, `GET /reports/${report.split('?')[0]}`, `${thing.path} in ${library}`, listed, audits(thing) && reads);
    }
  }
}

async function oneByOne(caller: Caller): Promise<void> {
  await everyThing(async (thing) => {
    const what = `${thing.path} in ${thing.library === photos ? 'Photos' : 'Studio'}`;
    const sees = caller.may('search_metadata', thing.library, thing.path);
    const reads = sees && caller.may('search_content', thing.library, thing.path);
    const url = `/items/${thing.id}`;
    same(caller, 'GET /items/{id}', what, (await get(caller, url)).statusCode, sees ? 200 : 404);
    same(caller, 'GET /items/{id}/history', what, (await get(caller, `${url}/history`)).statusCode, sees ? 200 : 404);
    const thumb = (await get(caller, `${url}/thumb`)).json().code;
    same(caller, 'GET /items/{id}/thumb', what, thumb, reads ? 'thumb_missing' : sees ? 'action_denied' : 'not_found');
    const told = (await get(caller, `${url}/text`)).json();
    same(
      caller,
      'GET /items/{id}/text',
      what,
      told.text ?? told.code,
      reads ? `${thing.secret} text` : sees ? 'action_denied' : 'not_found',
    );
    const divided = (await get(caller, `${url}/passages`)).json();
    const passage = divided.passages?.[0].text ?? divided.code;
    same(caller, 'GET /items/{id}/passages', what, passage, reads ? `${thing.secret} text` : sees ? 'action_denied' : 'not_found');
    const page = (await get(caller, `${url}/pages/1`)).json().code;
    same(caller, 'GET /items/{id}/pages/{page}', what, page, reads ? 'file_gone' : sees ? 'action_denied' : 'not_found');
    const words = (await get(caller, `${url}/pages/1/words`)).json().code;
    same(caller, 'GET /items/{id}/pages/{page}/words', what, words, reads ? 'file_gone' : sees ? 'action_denied' : 'not_found');
    const turned = (await get(caller, `${url}/turntable`)).json().code;
    same(caller, 'GET /items/{id}/turntable', what, turned, sees ? 'no_turntable' : 'not_found');
    const file = (await get(caller, `${url}/file`)).statusCode;
    const downloads = sees && caller.may('download', thing.library, thing.path);
    same(
      caller,
      'GET /items/{id}/file',
      what,
      file === 404 ? 'hidden' : file === 403 ? 'denied' : 'served',
      downloads ? 'served' : sees ? 'denied' : 'hidden',
    );
    const archive = (await post(caller, '/items/archive', { item_ids: [thing.id] })).statusCode;
    same(
      caller,
      'POST /items/archive',
      what,
      archive === 404 ? 'hidden' : archive === 403 ? 'denied' : 'served',
      downloads ? 'served' : sees ? 'denied' : 'hidden',
    );
    const planned = (await post(caller, '/items/archive/plan', { item_ids: [thing.id] })).json();
    same(caller, 'POST /items/archive/plan', what, planned.files ?? planned.code, downloads ? 1 : sees ? 'action_denied' : 'not_found');
    const byWord = (await get(caller, `/search?facets=false&q=${thing.word}`)).json();
    same(caller, 'GET /search by name', what, byWord.total, sees ? 1 : 0);
    const byContent = (await get(caller, `/search?facets=false&search_in=content&q=${thing.secret}`)).json();
    same(caller, 'GET /search by content', what, byContent.hits.length, reads ? 1 : 0);
    same(caller, 'GET /search by content, total', what, byContent.total, reads ? 1 : 0);
    await guessing(caller, thing, what, reads);
    const codeOf = async (part: string): Promise<string> => {
      const answer = await get(caller, `${url}/${part}`);
      return answer.statusCode < 400 ? 'served' : answer.json().code;
    };
    const audits = sees && caller.may('view_permissions', thing.library, thing.path);
    const guarded = (served: string): string => (audits ? served : sees ? 'action_denied' : 'not_found');
    same(caller, 'GET /items/{id}/permissions', what, await codeOf('permissions'), guarded('served'));
    const checked = await codeOf('permissions/check?principal=root');
    same(caller, 'GET /items/{id}/permissions/check', what, checked, guarded('served'));
    const now = new Date().toISOString();
    const compared = await codeOf(`permissions/compare?from=${now}&to=${now}`);
    same(caller, 'GET /items/{id}/permissions/compare', what, compared, guarded('served'));
    same(caller, 'GET /items/{id}/copies', what, await codeOf('copies'), sees ? 'served' : 'not_found');
    same(caller, 'GET /items/{id}/thread', what, await codeOf('thread'), sees ? 'served' : 'not_found');
    const similar = await get(caller, `${url}/similar?limit=50`);
    same(caller, 'GET /items/{id}/similar', what, similar.statusCode, sees ? 200 : 404);
    const beside: string[] = sees ? similar.json().hits.map(({ id }: { id: string }) => id) : [];
    // Vectors are made from content, so neighbours by meaning are shown only to those who may read it.
    const needed = sees && similar.json().by === 'meaning' ? ['search_metadata', 'search_content'] : ['search_metadata'];
    const hidden = things.filter(
      (each) => beside.includes(each.id) && !needed.every((action) => caller.may(action, each.library, each.path)),
    );
    same(caller, 'GET /items/{id}/similar', `nothing hidden beside ${what}`, hidden.length, 0);
  });
}

interface ToolOutcome {
  isError?: boolean;
  content?: { text: string }[];
}

/** Tools of assistants are requests to the API, and must not show more than it does. */
async function assistantsOf(caller: Caller): Promise<void> {
  const callTool = async (name: string, input: Record<string, unknown>): Promise<string | null> => {
    const response = await t.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { authorization: `Bearer ${caller.key}`, accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
    });
    const outcome = (response.json().result ?? { isError: true }) as ToolOutcome;
    return outcome.isError ? null : (outcome.content?.[0]?.text ?? null);
  };
  // The limit per minute is not what is tested here.
  await sql`delete from assistant_budgets`.execute(t.deps.db);
  const found = (await callTool('search_files', { query: 'chart', limit: 50 })) ?? '';
  const read = (await callTool('read_passages', { query: 'text', limit: 20 })) ?? '';
  const report = (await callTool('run_report', { report: 'largest_files', limit: 200 })) ?? '';
  const copies = things.filter(
    (thing) => thing.path !== 'a/private/two.pdf' && caller.may('search_metadata', thing.library, thing.path),
  ).length;
  const groups = (await callTool('list_duplicates', {})) ?? '';
  same(caller, 'list_duplicates', 'all', Number(/"copies": (\d+)/.exec(groups)?.[1] ?? 0), copies > 1 ? copies : 0);
  const tagged = (await callTool('tag_files', { files: things.map(({ id }) => id), remove: ['never set'] })) ?? '';
  same(caller, 'tag_files', 'all', Number(/"changed": (\d+)/.exec(tagged)?.[1] ?? 0), caller.key === t.keys.admin ? things.length : 0);
  await everyThing(async (thing) => {
    const library = thing.library === photos ? 'Photos' : 'Studio';
    const what = `${thing.path} in ${library}`;
    const sees = caller.may('search_metadata', thing.library, thing.path);
    const reads = sees && caller.may('search_content', thing.library, thing.path);
    same(caller, 'search_files', what, found.includes(thing.id), sees);
    same(caller, 'run_report', what, report.includes(JSON.stringify(`/media/${library}/${thing.path}`)), sees);
    same(caller, 'read_passages by query', what, read.includes(thing.secret), reads);
    same(
      caller,
      'read_passages of a file',
      what,
      (await callTool('read_passages', { file: thing.id }))?.includes(thing.secret) ?? false,
      reads,
    );
    same(caller, 'get_file', what, (await callTool('get_file', { file: thing.id })) !== null, sees);
    same(caller, 'find_similar', what, (await callTool('find_similar', { file: thing.id })) !== null, sees);
  });
}

/** A word that stands only in the content of one item: whoever may not read it learns nothing of it by any way of asking. */
async function guessing(caller: Caller, thing: Thing, what: string, reads: boolean): Promise<void> {
  const visible = things.filter((each) => caller.may('search_metadata', each.library, each.path)).length;
  const plain = (await get(caller, `/search?q=${thing.secret}`)).json();
  same(caller, 'GET /search for a word of the content', what, [plain.total, plain.hits.length], reads ? [1, 1] : [0, 0]);
  same(caller, 'GET /search for a word of the content, facets', what, plain.facets.library_id, reads ? { [thing.library]: 1 } : {});
  same(
    caller,
    'GET /search for a word of the content, snippet',
    what,
    plain.hits[0]?.snippet?.includes(`<em>${thing.secret}</em>`) ?? false,
    reads,
  );
  const without = (await get(caller, `/search?facets=false&q=${encodeURIComponent(`chart -${thing.secret}`)}`)).json();
  same(caller, 'GET /search without a word of the content', what, without.total, visible - (reads ? 1 : 0));
  const near = (await get(caller, `/search?facets=false&q=${thing.secret}qqq`)).json();
  same(caller, 'GET /search near words', what, near.did_you_mean.includes(thing.secret), reads);
  const emptied = (await get(caller, `/search?facets=false&tags=absent&q=${thing.secret}`)).json();
  same(caller, 'GET /search emptied by', what, emptied.emptied_by.length, reads ? 1 : 0);
  const federated = (await get(caller, `/search/federated?q=${thing.secret}`)).json();
  // The item and its passage.
  same(caller, 'GET /search/federated for a word of the content', what, federated.total, reads ? 2 : 0);
  const passages = (await get(caller, `/search/passages?q=${thing.secret}`)).json();
  const shown = passages.files.map(({ item_id, passages: [best] }: { item_id: string; passages: { text: string }[] }) => [
    item_id,
    best?.text,
  ]);
  same(caller, 'GET /search/passages', what, [passages.total, shown], reads ? [1, [[thing.id, `${thing.secret} text`]]] : [0, []]);
}

test('a scoped caller can neither see, count, fetch nor guess what lies outside their grants', async () => {
  for (const caller of callers) {
    await listsAndCounts(caller);
    await oneByOne(caller);
    await reportsOf(caller);
    await permissionsOf(caller);
    await assistantsOf(caller);
  }
  expect(cases).toBe(callers.length * (things.length * (43 + 10 + 4 + 6 + 6 + 2) + 39 + 13 + 4 + 5 + 1 + 2 + 3 + 4));
  console.log(`Visibility matrix: ${callers.length} callers, ${cases} cases.`);
}, 900_000);

test('an alert event about a file is shown, listed and counted only for people who may see the file', async () => {
  const { db } = t.deps;
  const rule = (
    await sql<{ id: string }>`insert into alert_rules (name, event_types) values ('Matrix', '{created}') returning id`.execute(db)
  ).rows[0]!.id;
  const group = (library: string) =>
    sql<{ id: string }>`insert into alert_groups (rule_id, dedup_key, event_type, library_id, subject, state, lasting, events, held)
      values (${rule}, ${library}, 'created', ${library}, '', 'firing', false, ${paths.length}, 'no channel') returning id`.execute(db);
  const alerts = new Map([
    [photos, (await group(photos)).rows[0]!.id],
    [studio, (await group(studio)).rows[0]!.id],
  ]);
  for (const thing of things)
    await sql`insert into alert_events (rule_id, group_id, event_type, item_id, library_id, rel_path, message)
      values (${rule}, ${alerts.get(thing.library)}, 'created', ${thing.id}, ${thing.library}, ${thing.path}, ${thing.path})`.execute(db);
  // An event of the service belongs to no path.
  await sql`insert into alert_events (rule_id, group_id, event_type, library_id, message)
    values (${rule}, ${alerts.get(photos)}, 'scan_failed', ${photos}, 'The scan failed.')`.execute(db);
  for (const caller of callers) {
    const visible = things.filter((thing) => caller.may('search_metadata', thing.library, thing.path));
    const events = (await get(caller, '/alert-events?limit=200')).json() as { item_id: string | null }[];
    const extra = caller.everything ? 1 : 0;
    same(
      caller,
      'GET /alert-events',
      'all',
      events
        .map(({ item_id }) => item_id ?? '')
        .filter(Boolean)
        .sort(),
      visible.map(({ id }) => id).sort(),
    );
    same(caller, 'GET /alert-events', 'events of the service', events.length - visible.length, extra);
    same(caller, 'GET /alert-events/summary', 'all', (await get(caller, '/alert-events/summary')).json().pending, visible.length + extra);
    const shown = (await get(caller, '/alerts')).json() as { items: { library_id: string; events: number }[]; firing: number };
    for (const library of [photos, studio]) {
      const inLibrary = visible.filter((thing) => thing.library === library).length;
      same(
        caller,
        'GET /alerts',
        library === photos ? 'Photos' : 'Studio',
        shown.items.find(({ library_id }) => library_id === library)?.events ?? 0,
        inLibrary,
      );
    }
    same(caller, 'GET /alerts firing', 'all', shown.firing, new Set(visible.map(({ library }) => library)).size);
  }
});

test('commands and transfers of agents are shown only to those who see their files, and versions only to administrators', async () => {
  const { db } = t.deps;
  const one = async (query: ReturnType<typeof sql<{ id: string }>>) => (await query.execute(db)).rows[0]!.id;
  const agent = await one(sql`insert into agents (name, hostname, platform, cert_fingerprint, approved_at)
    values ('nas-01', 'nas-01', 'linux', 'f', now()) returning id`);
  await sql`update all_libraries set source_agent_id = ${agent}`.execute(db);
  const command = (kind: string, itemId: string | null, library: string) =>
    one(sql`insert into agent_commands (agent_id, kind, item_id, library_ids, status, expires_at)
      values (${agent}, ${kind}, ${itemId}, ${[library]}::uuid[], 'picked_up', now() + interval '1 hour') returning id`);
  const listings = new Map<string, string>();
  for (const library of [photos, studio]) listings.set(library, await command('inventory', null, library));
  const accessLists = new Map<string, string>();
  for (const library of [photos, studio]) {
    const id = await command('inventory', null, library);
    await sql`update agent_commands set payload = '{"collectors": ["stat", "permissions"]}' where id = ${id}`.execute(db);
    await sql`insert into agent_inventories (command_id, body, entries) values (${id}, ${gzipSync('{}\n')}, 1)`.execute(db);
    accessLists.set(library, id);
  }
  const addresses = new Map<string, string>();
  for (const library of [photos, studio])
    addresses.set(
      library,
      await one(
        sql`insert into agent_share_maps (library_id, local_prefix, share_prefix) values (${library}, '/srv', 'smb://nas/x') returning id`,
      ),
    );
  const uploads = new Map<string, { command: string; transfer: string }>();
  for (const { id, library } of things) {
    const upload = await command('stage_upload', id, library);
    const transfer = await one(sql`insert into agent_transfers (item_id, agent_id, command_id, expected_size, verify, expires_at)
      values (${id}, ${agent}, ${upload}, 1000, true, now() + interval '1 hour') returning id`);
    uploads.set(id, { command: upload, transfer });
  }
  await sql`update items set body_text = 'read by an agent', extracted_key = 'agent-bytes:text@1:txt'`.execute(db);
  const [global] = (await t.request('GET', '/agents/config-groups')).json();
  for (const caller of callers) {
    for (const url of [
      `/agents/${agent}/about`,
      '/agents/host-tool-minimums',
      '/agents/inventory-collectors',
      `/agents/${agent}/lag`,
      `/agents/config-groups/${global.id}`,
    ])
      same(caller, `GET ${url}`, 'nas-01', (await get(caller, url)).statusCode, caller.key === t.keys.admin ? 200 : 403);
    const all = things.every(({ library, path }) => caller.may('search_metadata', library, path));
    const tidied = (await post(caller, `/agents/${agent}/maintenance`, {})).statusCode;
    same(caller, 'POST /agents/{id}/maintenance', 'nas-01', tidied, caller.readOnly || !all ? 403 : 201);
    await sql`delete from agent_commands where kind = 'agent_maintenance'`.execute(db);
    const installer = (await post(caller, '/agents/installer-config', {})).statusCode;
    same(caller, 'POST /agents/installer-config', 'nas-01', installer, caller.key === t.keys.admin ? 201 : 403);
    const resolved = (await post(caller, `/agents/${agent}/resolve-clone`, {})).statusCode;
    same(caller, 'POST /agents/{id}/resolve-clone', 'nas-01', resolved, caller.key === t.keys.admin ? 409 : 403);
    for (const url of [`/agents/config-rollouts/${agent}`, `/agent-release-rollouts/${agent}`])
      for (const what of ['pause', 'resume'])
        same(
          caller,
          `POST ${url}/${what}`,
          'none',
          (await post(caller, `${url}/${what}`, {})).statusCode,
          caller.key === t.keys.admin ? 404 : 403,
        );
    const listed = new Set((await get(caller, '/agent-commands?limit=200')).json().map(({ id }: { id: string }) => id));
    const transfers = new Set((await get(caller, '/transfers?limit=200')).json().map(({ item_id }: { item_id: string }) => item_id));
    for (const [library, id] of listings) {
      const name = library === photos ? 'Photos' : 'Studio';
      const whole = things.every((thing) => thing.library !== library || caller.may('search_metadata', library, thing.path));
      same(caller, 'GET /agent-commands', name, listed.has(id), whole);
      same(caller, 'GET /agent-commands/{id}', name, (await get(caller, `/agent-commands/${id}`)).statusCode, whole ? 200 : 404);
      const address = await get(caller, `/agent-share-maps/${addresses.get(library)}`);
      same(caller, 'GET /agent-share-maps/{id}', name, address.statusCode, whole ? 200 : 404);
      const rules = (await get(caller, `/agent-share-maps?library_id=${library}`)).json().length;
      same(caller, 'GET /agent-share-maps', name, rules, whole ? 1 : 0);
      const asked = { kind: 'inventory', payload: { library_id: library } };
      const status = (await post(caller, `/agents/${agent}/commands`, asked)).statusCode;
      same(caller, 'POST /agents/{id}/commands', name, status, caller.readOnly ? 403 : whole ? 201 : 404);
      // Access lists of a whole library are for those whom no rule restricts.
      const lists = { kind: 'inventory', payload: { library_id: library, collectors: ['permissions'] } };
      const permitted = (await post(caller, `/agents/${agent}/commands`, lists)).statusCode;
      const asks = caller.readOnly ? 403 : caller.everything ? 201 : whole ? 403 : 404;
      same(caller, 'POST /agents/{id}/commands for access lists', name, permitted, asks);
      const read = await get(caller, `/agent-commands/${accessLists.get(library)}/inventory`);
      same(
        caller,
        'GET /agent-commands/{id}/inventory of access lists',
        name,
        read.statusCode,
        caller.everything ? 200 : whole ? 403 : 404,
      );
      for (const what of ['reextract', 'reconcile']) {
        const swept = await post(caller, `/agents/${agent}/${what}`, { library_id: library });
        same(caller, `POST /agents/{id}/${what}`, name, swept.statusCode, caller.readOnly ? 403 : whole ? 201 : 404);
        await sql`delete from agent_commands where kind = ${what}`.execute(db);
      }
      const rehashed = (await post(caller, `/agents/${agent}/rehash-sweep`, { library_id: library })).statusCode;
      same(caller, 'POST /agents/{id}/rehash-sweep', name, rehashed, caller.key === t.keys.admin ? 201 : 403);
      await sql`delete from agent_commands where kind = 'rehash_sweep'`.execute(db);
    }
    await everyThing(async (thing) => {
      const what = `${thing.path} in ${thing.library === photos ? 'Photos' : 'Studio'}`;
      const upload = uploads.get(thing.id)!;
      const sees = caller.may('search_metadata', thing.library, thing.path);
      const downloads = sees && caller.may('download', thing.library, thing.path);
      same(caller, 'GET /agent-commands', what, listed.has(upload.command), sees);
      same(caller, 'GET /agent-commands/{id}', what, (await get(caller, `/agent-commands/${upload.command}`)).statusCode, sees ? 200 : 404);
      same(caller, 'GET /transfers', what, transfers.has(thing.id), downloads);
      const hidden = sees ? 'action_denied' : 'not_found';
      const shown = (await get(caller, `/transfers/${upload.transfer}`)).json();
      same(caller, 'GET /transfers/{id}', what, shown.state ?? shown.code, downloads ? 'pending' : hidden);
      const bytes = (await get(caller, `/transfers/${upload.transfer}/download`)).json().code;
      same(caller, 'GET /transfers/{id}/download', what, bytes, downloads ? 'transfer_not_ready' : hidden);
      const token = (await post(caller, `/transfers/${upload.transfer}/events-token`, {})).json();
      same(caller, 'POST /transfers/{id}/events-token', what, token.expires_in ?? token.code, downloads ? 60 : hidden);
      if (!downloads) {
        const followed = (await get(caller, `/transfers/${upload.transfer}/events`)).json();
        same(caller, 'GET /transfers/{id}/events', what, followed.code, hidden);
      }
      // What an agent has read has the rights of what the service reads.
      const text = (await get(caller, `/items/${thing.id}/text`)).json();
      const reads = sees && caller.may('search_content', thing.library, thing.path);
      same(caller, 'GET /items/{id}/text of an agent', what, text.text ?? text.code, reads ? 'read by an agent' : hidden);
      const hosted = (await get(caller, `/items/${thing.id}/agent-status`)).json();
      same(caller, 'GET /items/{id}/agent-status', what, hosted.agent_hosted ?? hosted.code, sees ? true : 'not_found');
      const read = (await post(caller, `/items/${thing.id}/verify`, { mode: 'rehash' })).json();
      same(caller, 'POST /items/{id}/verify', what, read.code === hidden, !downloads);
      const again = (await post(caller, `/items/${thing.id}/transfer`, {})).json().code;
      same(caller, 'POST /items/{id}/transfer', what, again === 'transfer_active', downloads && !caller.readOnly);
      if (sees) return;
      const cancelled = (await post(caller, `/agent-commands/${upload.command}/cancel`, {})).statusCode;
      same(caller, 'POST /agent-commands/{id}/cancel', what, cancelled, caller.readOnly ? 403 : 404);
    });
    const versions = (await get(caller, `/agents/config-groups/${global.id}/history`)).statusCode;
    same(caller, 'GET /agents/config-groups/{id}/history', 'Global', versions, caller.key === t.keys.admin ? 200 : 403);
    const rollouts = (await get(caller, '/agents/config-rollouts')).statusCode;
    same(caller, 'GET /agents/config-rollouts', 'all', rollouts, caller.key === t.keys.admin ? 200 : 403);
    const running = (await get(caller, '/agent-releases')).json().agents.length;
    same(caller, 'GET /agent-releases', 'agents', running, caller.key === t.keys.admin ? 1 : 0);
    const updates = (await get(caller, '/agent-release-rollouts')).statusCode;
    same(caller, 'GET /agent-release-rollouts', 'all', updates, caller.key === t.keys.admin ? 200 : 403);
    const rolled = (await post(caller, '/agent-releases/1.0.0/rollouts', { tiers: [{ percent: 100, delay_minutes: 0 }] })).statusCode;
    same(caller, 'POST /agent-releases/{version}/rollouts', '1.0.0', rolled, caller.key === t.keys.admin ? 404 : 403);
    const withdrawn = (await t.request('DELETE', '/agent-releases/1.0.0', undefined, { as: caller.key })).statusCode;
    same(caller, 'DELETE /agent-releases/{version}', '1.0.0', withdrawn, caller.key === t.keys.admin ? 404 : 403);
  }
}, 300_000);
