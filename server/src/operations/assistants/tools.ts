import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Scope } from '../../platform/principal.ts';
import { noExtraFields } from '../../platform/schemas.ts';

/** A request to the API with the credential of the caller, so that every right and limit of the API applies to a tool. */
export type ApiCall = (
  method: 'GET' | 'PATCH',
  path: string,
  options?: { query?: Record<string, string | number | boolean | undefined>; body?: unknown },
) => Promise<unknown>;

/** What a tool returns: data for the assistant, how many things it shows, and the files it changed. */
interface ToolResult {
  data: unknown;
  count: number;
  changed?: string[];
}

interface Tool {
  name: string;
  title: string;
  description: string;
  scope: Scope;
  input: TObject;
  /** The input has been validated against the schema. */
  call(api: ApiCall, input: unknown): Promise<ToolResult>;
}

function defineTool<Properties extends Record<string, TSchema>>(
  tool: Omit<Tool, 'input' | 'call'> & {
    input: Properties;
    call(api: ApiCall, input: Static<TObject<Properties>>): Promise<ToolResult>;
  },
): Tool {
  const input = Type.Object(tool.input, noExtraFields);
  return { ...tool, input, call: (api, given) => tool.call(api, given as Static<TObject<Properties>>) };
}

const File = Type.String({
  description: 'The citation or id of a file, from another tool',
  maxLength: 200,
  pattern: '^(?:catalog://file/)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:#.*)?$',
});
const Query = Type.String({
  description:
    'Words and filters, for example: harbour crane ext:pdf modified:2024 size:>10m tag:invoice kind:image path:reports. A leading - excludes.',
  minLength: 1,
  maxLength: 1000,
});
const limit = (maximum: number, standard: number) => Type.Optional(Type.Integer({ minimum: 1, maximum, default: standard }));

/** Tells an assistant where a statement comes from, and a person where to look. */
function citationOf(id: string, place: { page?: number | null; start?: number; end?: number } = {}): string {
  const parts = [
    ...(place.page ? [`page=${place.page}`] : []),
    ...(place.start === undefined ? [] : [`chars=${place.start}-${place.end}`]),
  ];
  return `catalog://file/${id}${parts.length > 0 ? `#${parts.join('&')}` : ''}`;
}

const idOf = (file: string): string => file.replace(/^catalog:\/\/file\//, '').slice(0, 36);

interface HitFacts {
  id: string;
  filename: string;
  rel_path: string;
  library_id: string;
  file_category: string;
  size: number;
  mtime: number;
  tags: string[];
  title: string | null;
  snippet: string | null;
}

const presentHit = ({ id, filename, rel_path, library_id, file_category, size, mtime, tags, title, snippet }: HitFacts) => ({
  citation: citationOf(id),
  filename,
  title,
  path: rel_path,
  library_id,
  kind: file_category,
  size_bytes: size,
  modified: new Date(mtime * 1000).toISOString(),
  tags,
  ...(snippet ? { snippet: plainText(snippet) } : {}),
});

/** Snippets mark matches with tags in escaped text. */
function plainText(marked: string): string {
  return marked.replace(/<\/?em>/g, '').replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** Assistants ask in their own words. While search by meaning is off, the words alone count. */
const meaningRatio = 0.7;

const searchFiles = defineTool({
  name: 'search_files',
  title: 'Search files',
  description: 'Finds files by their names, contents, tags and facts. Returns the best matches with citations.',
  scope: 'read',
  input: { query: Query, limit: limit(50, 10), offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 })) },
  async call(api, { query, limit: most = 10, offset = 0 }) {
    const found = (await api('GET', '/search', { query: { q: query, limit: most, offset, facets: false, semantic: meaningRatio } })) as {
      hits: HitFacts[];
      total: number;
    };
    return { data: { total: found.total, files: found.hits.map(presentHit) }, count: found.hits.length };
  },
});

/** Facts that are long or internal. Text is read with read_passages. */
const isShownFact = ([key, value]: [string, unknown]): boolean =>
  !key.startsWith('_') && key !== 'ocr_text' && JSON.stringify(value ?? null).length <= 500;

const getFile = defineTool({
  name: 'get_file',
  title: 'Get a file',
  description: 'Returns what the catalog knows about one file: where it is, its size, dates, tags, notes and extracted facts.',
  scope: 'read',
  input: { file: File },
  async call(api, { file }) {
    const item = (await api('GET', `/items/${idOf(file)}`)) as Record<string, unknown> & { id: string; metadata: Record<string, unknown> };
    const shown = ['filename', 'title', 'year', 'library_id', 'library_name', 'file_category', 'status', 'size', 'mtime', 'content_hash'];
    const facts = Object.fromEntries(shown.filter((key) => key in item).map((key) => [key, item[key]]));
    const { rel_path: path, tags, user_metadata: notes } = item;
    const metadata = Object.fromEntries(Object.entries(item.metadata).filter(isShownFact));
    return { data: { citation: citationOf(item.id), ...facts, path, tags, notes, metadata }, count: 1 };
  },
});

interface PassageFacts {
  item_id: string;
  chunk_no: number;
  page: number | null;
  heading: string | null;
  start: number;
  end: number;
  text: string;
  truncated: boolean;
}

const presentPassage = ({ item_id, chunk_no, page, heading, start, end, text, truncated }: PassageFacts) => ({
  citation: citationOf(item_id, { page, start, end }),
  number: chunk_no,
  page,
  heading,
  text,
  ...(truncated ? { truncated } : {}),
});

const readPassages = defineTool({
  name: 'read_passages',
  title: 'Read passages',
  description:
    'Reads text. With query: the passages that match, in libraries with passage search. With file: the passages of that file in order, from a number on. Cite each passage you use.',
  scope: 'read',
  input: {
    query: Type.Optional(Query),
    file: Type.Optional(File),
    from: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'First passage, with file' })),
    limit: limit(20, 6),
  },
  async call(api, { query, file, from = 0, limit: most = 6 }) {
    if ((query === undefined) === (file === undefined)) throw new ToolError('Send either query or file.');
    if (file !== undefined) {
      const found = (await api('GET', `/items/${idOf(file)}/passages`, { query: { from, limit: most } })) as {
        passages: PassageFacts[];
        total: number;
      };
      return { data: { total: found.total, passages: found.passages.map(presentPassage) }, count: found.passages.length };
    }
    const found = (await api('GET', '/search/passages', { query: { q: query, limit: most, semantic: meaningRatio } })) as {
      available: boolean;
      files: { filename: string; rel_path: string; passages: PassageFacts[] }[];
    };
    if (!found.available) throw new ToolError('No library has passage search. Use search_files, then read_passages with a file.');
    const passages = found.files.flatMap(({ filename, rel_path: path, passages: own }) =>
      own.map((passage) => ({ filename, path, ...presentPassage(passage) })),
    );
    return { data: { passages: passages.slice(0, most) }, count: Math.min(most, passages.length) };
  },
});

const findSimilar = defineTool({
  name: 'find_similar',
  title: 'Find similar files',
  description:
    'Finds files that are about the same as a given one. With pending, the index is taking over a change of the file: some may be missing, ask again shortly.',
  scope: 'read',
  input: { file: File, limit: limit(25, 10) },
  async call(api, { file, limit: most = 10 }) {
    const found = (await api('GET', `/items/${idOf(file)}/similar`, { query: { limit: most } })) as {
      by: string;
      pending: boolean;
      hits: (HitFacts & { similarity: number })[];
    };
    const files = found.hits.map((hit) => ({ ...presentHit(hit), similarity: Math.round(hit.similarity * 1000) / 1000 }));
    return { data: { compared_by: found.by, ...(found.pending ? { pending: true } : {}), files }, count: files.length };
  },
});

const listDuplicates = defineTool({
  name: 'list_duplicates',
  title: 'List duplicates',
  description: 'Without file: the groups of files with equal content that waste the most space. With file: the other copies of that file.',
  scope: 'read',
  input: { file: Type.Optional(File), limit: limit(50, 20) },
  async call(api, { file, limit: most = 20 }) {
    if (file !== undefined) {
      const data = await api('GET', `/items/${idOf(file)}/copies`);
      return { data, count: Object.values(data as Record<string, unknown>).find(Array.isArray)?.length ?? 0 };
    }
    const { groups } = (await api('GET', '/duplicates/groups', { query: { limit: most } })) as { groups: unknown[] };
    return { data: { groups }, count: groups.length };
  },
});

const runReport = defineTool({
  name: 'run_report',
  title: 'Run a report',
  description: 'Without report: lists the reports. With report: runs it and returns rows, for example largest_files or stale_files.',
  scope: 'read',
  input: {
    report: Type.Optional(Type.String({ pattern: '^[a-z_]{1,64}$' })),
    limit: limit(200, 50),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 0 })),
  },
  async call(api, { report, limit: most = 50, offset = 0 }) {
    if (report === undefined) {
      const { reports } = (await api('GET', '/reports')) as { reports: { id: string; title: string; description: string }[] };
      return { data: { reports: reports.map(({ id, title, description }) => ({ id, title, description })) }, count: reports.length };
    }
    const page = (await api('GET', `/reports/${report}`, { query: { limit: most, ...(offset > 0 ? { offset } : {}) } })) as {
      columns: string[];
      rows: unknown[];
    };
    return { data: { report, columns: page.columns, rows: page.rows }, count: page.rows.length };
  },
});

const Tags = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 }));

const tagFiles = defineTool({
  name: 'tag_files',
  title: 'Tag files',
  description: 'Adds tags to files and removes tags from them. Files on disk are never changed. Ask the person before you call it.',
  scope: 'write',
  input: { files: Type.Array(File, { minItems: 1, maxItems: 50 }), add: Tags, remove: Tags },
  async call(api, { files, add = [], remove = [] }) {
    if (add.length + remove.length === 0) throw new ToolError('Send tags to add or to remove.');
    const changed: string[] = [];
    const results = [];
    for (const id of new Set(files.map(idOf))) {
      try {
        const body = { ...(add.length > 0 ? { add_tags: add } : {}), ...(remove.length > 0 ? { remove_tags: remove } : {}) };
        const { tags } = (await api('PATCH', `/items/${id}`, { body })) as { tags: string[] };
        changed.push(id);
        results.push({ citation: citationOf(id), tags });
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        results.push({ citation: citationOf(id), error: error.message });
      }
    }
    return { data: { changed: changed.length, files: results }, count: changed.length, changed };
  },
});

/** A failure that the assistant is told about, with what to do next. */
export class ToolError extends Error {}

const list = [searchFiles, getFile, readPassages, findSimilar, listDuplicates, runReport, tagFiles];

export const tools: readonly (Tool & {
  /** Why the input is refused, or null. */
  refusal(input: unknown): string | null;
})[] = list.map((tool) => {
  const validator = Compile(tool.input as TSchema);
  return {
    ...tool,
    refusal(input) {
      if (validator.Check(input)) return null;
      const first = validator.Errors(input).at(-1);
      return first ? `${first.instancePath.slice(1) || 'The input'} ${first.message}.` : 'The input is not valid.';
    },
  };
});
