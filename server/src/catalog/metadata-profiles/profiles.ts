import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

export interface ProfileField {
  type: 'string' | 'integer' | 'float' | 'boolean' | 'date' | 'list' | 'object';
  label: string;
  required: boolean;
  facetable: boolean;
  sortable: boolean;
}

/** Increase it with every change below, so that older profiles in the database are replaced. */
const profileVersion = 1;

/** `f` marks a facetable field, `s` a sortable one. */
function field(type: ProfileField['type'], label: string, marks = ''): ProfileField {
  return { type, label, required: false, facetable: marks.includes('f'), sortable: marks.includes('s') };
}

const origin = { origin_url: field('string', 'Downloaded from'), referrer_url: field('string', 'Linked from') };
const named = { title: field('string', 'Title', 's'), author: field('string', 'Author', 'f') };

export const shippedProfiles: Readonly<Record<string, Readonly<Record<string, ProfileField>>>> = {
  image: {
    width: field('integer', 'Width', 's'),
    height: field('integer', 'Height', 's'),
    format: field('string', 'Format', 'f'),
    camera: field('string', 'Camera', 'f'),
    taken_at: field('date', 'Taken at', 's'),
    'exif.camera_make': field('string', 'Camera make', 'f'),
    'exif.camera_model': field('string', 'Camera model', 'f'),
    'exif.lens_model': field('string', 'Lens', 'f'),
    'exif.iso': field('integer', 'ISO', 'fs'),
    'exif.exposure_time': field('float', 'Exposure time', 's'),
    'exif.f_number': field('float', 'Aperture', 'fs'),
    'exif.focal_length': field('float', 'Focal length', 'fs'),
    ...origin,
  },
  audio: {
    title: field('string', 'Title', 's'),
    artist: field('string', 'Artist', 'f'),
    album: field('string', 'Album', 'f'),
    genre: field('string', 'Genre', 'f'),
    year: field('integer', 'Year', 'fs'),
    duration: field('float', 'Duration', 's'),
    bitrate: field('integer', 'Bit rate', 's'),
    samplerate: field('integer', 'Sample rate', 'f'),
    channels: field('integer', 'Channels', 'f'),
    chapter_count: field('integer', 'Chapters', 's'),
    ...origin,
  },
  video: {
    title: field('string', 'Title', 's'),
    year: field('integer', 'Year', 'fs'),
    season: field('integer', 'Season', 'fs'),
    episode: field('integer', 'Episode', 's'),
    container: field('string', 'Container', 'f'),
    duration: field('float', 'Duration', 's'),
    bitrate: field('integer', 'Bit rate', 's'),
    video_codec: field('string', 'Video codec', 'f'),
    resolution: field('string', 'Resolution', 'f'),
    width: field('integer', 'Width', 's'),
    height: field('integer', 'Height', 's'),
    frame_rate: field('float', 'Frame rate', 'fs'),
    hdr: field('boolean', 'HDR', 'f'),
    hdr_format: field('string', 'HDR format', 'f'),
    audio_codec: field('string', 'Audio codec', 'f'),
    audio_tracks: field('list', 'Audio tracks'),
    subtitle_tracks: field('list', 'Subtitles'),
    ...origin,
  },
  document: {
    ...named,
    subject: field('string', 'Subject'),
    keywords: field('string', 'Keywords'),
    pages: field('integer', 'Pages', 's'),
    sheet_count: field('integer', 'Sheets', 's'),
    created: field('date', 'Created', 's'),
    modified: field('date', 'Last saved', 's'),
    encrypted: field('boolean', 'Encrypted', 'f'),
    ...origin,
  },
  'three-d-cad': {
    triangles: field('integer', 'Triangles', 's'),
    vertices: field('integer', 'Vertices', 's'),
    mesh_count: field('integer', 'Meshes', 's'),
    watertight: field('boolean', 'Watertight', 'f'),
    bbox: field('list', 'Bounding box'),
    bbox_volume: field('float', 'Volume of the bounding box', 's'),
    file_format: field('string', 'Format', 'f'),
    ...origin,
  },
  development: { ...named, ...origin },
  archive: {
    'archive.member_count': field('integer', 'Files inside', 's'),
    'archive.total_uncompressed': field('integer', 'Size unpacked', 's'),
    'archive.format': field('string', 'Format', 'f'),
    ...origin,
  },
  system: {
    email_subject: field('string', 'Subject', 's'),
    email_from: field('string', 'From', 'f'),
    email_to: field('list', 'To'),
    email_date: field('date', 'Sent', 's'),
    attachment_count: field('integer', 'Attachments', 's'),
    ...origin,
  },
  other: { ...origin },
};

export interface MetadataProfile {
  id: string;
  file_category: string;
  version: number;
  created_at: string;
  fields: Record<string, ProfileField>;
}

/** Inserts the profiles, replacing those of an older version. */
export async function seedMetadataProfiles(db: Db): Promise<void> {
  for (const [category, fields] of Object.entries(shippedProfiles))
    await sql`insert into metadata_profiles (file_category, version, fields) values (${category}, ${profileVersion}, ${JSON.stringify(fields)}::jsonb)
      on conflict (file_category) do update set version = excluded.version, fields = excluded.fields, created_at = now()
      where metadata_profiles.version < excluded.version`.execute(db);
}

export async function metadataProfiles(db: Db, category?: string): Promise<MetadataProfile[]> {
  const { rows } = await sql<Omit<MetadataProfile, 'created_at'> & { created_at: Date }>`
    select id, file_category, version, fields, created_at from metadata_profiles
    where ${category === undefined ? sql`true` : sql`file_category = ${category}`} order by file_category`.execute(db);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
