import { readFileSync } from 'node:fs';
import { extractors, findExtractor } from '@catalog/readers';
import { expect, test } from 'vitest';
import { shippedProfiles } from '../../catalog/metadata-profiles/index.ts';
import { formatsPage } from './formats-page.ts';

test('the manual’s page of formats matches the declarations of extractors and thumbnailers', () => {
  const page = readFileSync(new URL('../../../../manual/pages/formats.md', import.meta.url), 'utf8');
  expect(page, 'run node server/src/content/pipeline/print-formats.ts --write').toBe(formatsPage());
});

/** Facts about the download origin, which no extractor yields. */
const fromElsewhere = new Set(['origin_url', 'referrer_url']);

test('every key of the metadata profiles is yielded by some extractor', () => {
  const yielded = new Set(extractors.flatMap((extractor) => extractor.keys));
  const unknown = Object.entries(shippedProfiles).flatMap(([category, fields]) =>
    Object.keys(fields)
      .filter((key) => !fromElsewhere.has(key) && !yielded.has(key))
      .map((key) => `${category}: ${key}`),
  );
  expect(unknown).toEqual([]);
});

const words = (text: string): string[] => text.split(' ');

/** Fact names that API clients rely on, by extension. */
const contract: Record<string, string[]> = {
  jpg: words('width height format mode camera taken_at'),
  cr2: words(
    'exif.camera_make exif.camera_model exif.lens_model exif.lens_id exif.iso exif.exposure_time exif.f_number exif.focal_length exif.width exif.height exif.taken_at exif.gps_latitude exif.gps_longitude exif.gps_altitude',
  ),
  mp3: words('title artist album genre year duration bitrate samplerate channels'),
  m4b: words('chapters chapter_count'),
  mkv: words(
    'title year season episode container duration bitrate video_codec width height resolution frame_rate hdr hdr_format dv_profile dv_level dv_compat hdr10_plus hdr_max_cll hdr_max_fall hdr_master_display color_primaries color_transfer audio_codec audio_tracks subtitle_tracks',
  ),
  pdf: words('pages title author subject keywords creator producer encrypted'),
  docx: words('title author created modified revision paragraphs'),
  xlsx: words('sheets sheet_count'),
  eml: words('email_subject email_from email_to email_cc email_date email_message_id attachments attachment_count'),
  mbox: words('mailbox.message_count mailbox.first_date mailbox.last_date mailbox.truncated'),
  stl: words('triangles vertices mesh_count watertight geometry_tier bbox bbox_volume file_format'),
  zip: words('archive.member_count archive.total_uncompressed archive.members archive.truncated archive.format'),
};

test.each(Object.entries(contract))('.%s files yield the facts under the names of the contract', (extension, keys) => {
  const declared = new Set(findExtractor(extension)!.keys);
  expect(keys.filter((key) => !declared.has(key))).toEqual([]);
});
