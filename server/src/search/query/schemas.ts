import { type Static, type TSchema, Type } from 'typebox';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const many = <T extends TSchema>(schema: T) => Type.Optional(Type.Array(schema, { maxItems: 200 }));
const Coordinate = Type.Optional(Type.Number());

/** Coordinates are validated in filters.ts, so that all geo errors have the same form. */
export const SearchQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ maxLength: 10_000, default: '' })),
    search_in: Type.Optional(Type.Enum(['all', 'content', 'names'])),
    file_category: many(Type.String({ maxLength: 64 })),
    file_group: many(Type.String({ maxLength: 64 })),
    library: many(Type.String({ format: 'uuid' })),
    status: Type.Optional(Type.Enum(['active', 'missing', 'trashed', 'any'])),
    extension: many(Type.String({ maxLength: 64 })),
    year_gte: Type.Optional(Type.Integer()),
    year_lte: Type.Optional(Type.Integer()),
    size_gte: Type.Optional(Type.Integer({ minimum: 0 })),
    size_lte: Type.Optional(Type.Integer({ minimum: 0 })),
    mtime_gte: Type.Optional(Type.Number()),
    mtime_lte: Type.Optional(Type.Number()),
    taken_gte: Type.Optional(Type.Number({ description: 'When a photo was taken, by the clock of its camera as if it were UTC.' })),
    taken_lte: Type.Optional(Type.Number()),
    camera: many(Type.String({ maxLength: 500 })),
    lens: many(Type.String({ maxLength: 500 })),
    artist: many(Type.String({ maxLength: 500 })),
    album: many(Type.String({ maxLength: 500 })),
    author: many(Type.String({ maxLength: 500 })),
    language: many(Type.String({ maxLength: 500 })),
    resolution: many(Type.String({ maxLength: 500 })),
    tags: Type.Optional(Type.String({ maxLength: 2000 })),
    path: Type.Optional(Type.String({ maxLength: 4096 })),
    hash: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{8,64}$', description: 'The first 8 to 64 hexadecimal digits of a quick or content hash' }),
    ),
    sidecar_of: Type.Optional(Type.String({ format: 'uuid' })),
    include_sidecars: Type.Optional(Type.Boolean({ default: false })),
    has_error: Type.Optional(Type.Boolean()),
    principal: Type.Optional(Type.String({ maxLength: 256 })),
    world_readable: Type.Optional(Type.Boolean()),
    geo_lat: Coordinate,
    geo_lng: Coordinate,
    geo_radius_m: Coordinate,
    geo_top_lat: Coordinate,
    geo_right_lng: Coordinate,
    geo_bottom_lat: Coordinate,
    geo_left_lng: Coordinate,
    geo_sort: Type.Optional(Type.Enum(['asc', 'desc'])),
    sort: Type.Optional(
      Type.String({
        pattern:
          '^(relevance|newest|(title|name|year|size|mtime|taken|added|path|duration|pages|width|artist|album|author|camera|lens|language)(:(asc|desc))?)$',
        description:
          'relevance, newest, or one of title, name, year, size, mtime, taken (when a photo was taken), added (when the catalog first saw it), path, duration, pages, width, artist, album, author, camera, lens and language, optionally followed by :asc or :desc',
      }),
    ),
    semantic: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        description:
          'How much meaning counts beside words: 0 is words only, 1 is meaning only. Applies to searches by relevance in all fields. Ignored while search by meaning is off.',
      }),
    ),
    facets: Type.Optional(Type.Boolean({ default: true })),
    histograms: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also count sizes and dates by range, and items with errors, text, tags and so on. Needs `facets`.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    cursor: Type.Optional(Type.String({ maxLength: 8192 })),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Number of hits to skip. Cannot be combined with `cursor`.' }),
    ),
  },
  { additionalProperties: false },
);
export type SearchParams = Static<typeof SearchQuery>;

export const HitOut = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    library_id: Type.String({ format: 'uuid' }),
    rel_path: Type.String(),
    filename: Type.String(),
    extension: nullable(Type.String()),
    file_category: Type.String(),
    file_group: Type.String(),
    status: Type.String(),
    size: Type.Integer(),
    mtime: Type.Number(),
    taken: nullable(Type.String({ description: 'When a photo or video was taken, by the clock of its camera.' })),
    title: nullable(Type.String()),
    year: nullable(Type.Integer()),
    tags: Type.Array(Type.String()),
    duration: nullable(Type.Number()),
    width: nullable(Type.Number()),
    height: nullable(Type.Number()),
    pages: nullable(Type.Number()),
    has_error: Type.Boolean(),
    has_notes: Type.Boolean({ description: 'Somebody has written a note or a custom field.' }),
    has_thumb: Type.Boolean(),
    thumb_version: nullable(Type.String()),
    sidecar_of: nullable(Type.String()),
    missing_since: nullable(Type.String({ format: 'date-time' })),
    _geo: nullable(Type.Object({ lat: Type.Number(), lng: Type.Number() })),
    distance_m: nullable(Type.Number()),
    score: Type.Number(),
    matched_by: nullable(Type.Enum(['words', 'meaning', 'both'])),
    similarity_to_query: nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'How near the meaning is. Null without `semantic`.' }),
    ),
    snippet: nullable(Type.String()),
    highlight: Type.Object({ title: nullable(Type.String()), filename: Type.String(), path: nullable(Type.String()) }),
  },
  { title: 'SearchHit' },
);

export const SemanticReport = Type.Object({
  applied: Type.Boolean(),
  detail: nullable(Type.String({ description: 'Why meaning was not applied.' })),
});

/** One filter of the query, as the console shows it. */
const ChipOut = Type.Object({
  field: Type.String(),
  value: Type.String(),
  negated: Type.Boolean(),
  text: Type.String(),
  start: Type.Integer(),
  end: Type.Integer(),
});

export const SearchResponse = Type.Object(
  {
    hits: Type.Array(HitOut),
    total: Type.Integer(),
    total_bytes: nullable(Type.Number()),
    facets: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer())),
    facet_stats: Type.Record(Type.String(), Type.Object({ min: Type.Number(), max: Type.Number() })),
    histograms: Type.Record(Type.String(), Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), count: Type.Integer() }))),
    next_cursor: nullable(Type.String()),
    degraded: Type.Boolean(),
    semantic: nullable(SemanticReport),
    took_ms: Type.Number(),
    did_you_mean: Type.Array(Type.String()),
    understood: Type.Array(ChipOut),
    emptied_by: Type.Array(Type.Object({ filter: Type.String(), value: Type.String(), without: Type.Integer() })),
  },
  { title: 'SearchResponse' },
);
