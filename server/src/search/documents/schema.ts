import type { Schema } from '@catalog/engine';

/**
 * What can be searched, filtered, sorted and counted. Increase the version whenever the meaning of a document changes: an index of another
 * version is rebuilt automatically.
 */
export const documentVersion = 9;

/** Matched when `search_in=names`. */
export const nameFields = ['title', 'filename', 'path', 'artist', 'album', 'author', 'tags', 'stem', 'plain_name'] as const;
/** Matched when `search_in=content`. */
export const contentFields = ['body_text', 'ocr_text', 'archive_members'] as const;
/** Notes and the download origin are matched only without `search_in`. */
const otherFields = ['notes', 'origin_url'] as const;
/** The fields that a caller without the right to read content may search. */
export const metadataFields = [...nameFields, ...otherFields] as const;

/** Facts stored as numbers in the index; all others are filtered through the database. */
export const numericFacts = [
  'width',
  'height',
  'duration',
  'bitrate',
  'pages',
  'frame_rate',
  'triangles',
  'vertices',
  'samplerate',
  'channels',
  'season',
  'episode',
  'words',
  'sheet_count',
] as const;

/** Facts that sort a search as text, each in a field `<fact>_sort`. */
export const sortedFacts = ['artist', 'album', 'author', 'camera', 'lens', 'language'] as const;

export const itemsSchema: Schema = {
  version: documentVersion,
  text: [
    { name: 'title', infix: true },
    { name: 'filename', infix: true },
    // Ends with the name of the file, so that a folder and a word of the name are close to each other.
    { name: 'path' },
    { name: 'artist' },
    { name: 'album' },
    { name: 'author' },
    { name: 'tags' },
    { name: 'notes' },
    { name: 'body_text' },
    { name: 'ocr_text' },
    { name: 'archive_members' },
    { name: otherFields[1], typos: false },
    // The name without its extension: a query that is exactly this ranks before longer names.
    { name: 'stem', variant: true },
    // The name as people type it: `CPack.cmake` consists of two words then, not of three.
    { name: 'plain_name', variant: true },
  ],
  keyword: [
    { name: 'library_id' },
    { name: 'status' },
    { name: 'file_category' },
    { name: 'file_group' },
    { name: 'extension' },
    { name: 'year_text' },
    { name: 'tag', multi: true },
    { name: 'genre' },
    { name: 'codec' },
    { name: 'resolution' },
    { name: 'camera' },
    { name: 'lens' },
    // The text fields of the same facts are `artist`, `album` and `author`.
    { name: 'artist_name' },
    { name: 'album_name' },
    { name: 'author_name' },
    { name: 'language' },
    { name: 'is_sidecar' },
    { name: 'has', multi: true },
    { name: 'sidecar_of' },
    { name: 'perm_principals', multi: true },
    { name: 'perm_world' },
    { name: 'perm_owner', multi: true },
    { name: 'perm_class' },
    { name: 'custom', multi: true },
  ],
  number: ['size', 'mtime', 'mtime_sort', 'first_seen', 'taken', 'year', ...numericFacts],
  sortable: ['title_sort', 'filename_sort', 'path_sort', ...sortedFacts.map((fact) => `${fact}_sort`)],
  geo: '_geo',
  scope: 'path_scope',
};

/** The vectors in the index: their model and whether they are stored with one bit per dimension. */
export interface IndexedVectors {
  modelId: number;
  dimension: number;
  quantise: boolean;
}

/** With vectors, the version also names the model: an index with vectors of another model is rebuilt. */
export function itemsSchemaWith(vectors: IndexedVectors | null): Schema {
  if (!vectors) return itemsSchema;
  const { modelId, dimension, quantise } = vectors;
  return { ...itemsSchema, version: documentVersion + 1000 * modelId, vector: { name: 'meaning', dimension, quantise } };
}
