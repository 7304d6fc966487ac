import { boolean, choice, decimal, integer, matching, text } from '../kinds.ts';

const mebibyte = 1_048_576;

/** Limits that protect the service from a single bad file. */
export const extractionSettings = {
  SVC_EXTRACT_TIMEOUT_SECONDS: integer({
    default: 300,
    min: 1,
    unit: 'seconds',
    origin: 'default chosen',
    perLibrary: true,
    description: 'Time limit for extracting one file.',
  }),
  SVC_FFPROBE_TIMEOUT_S: integer({
    default: 30,
    min: 1,
    unit: 'seconds',
    perLibrary: true,
    description: 'Time limit for reading the metadata of one video.',
  }),
  SVC_FFPROBE_DEEP_HDR: boolean({
    default: true,
    description: 'Also reads the first frame of HDR videos, to detect HDR10+ and its light levels.',
  }),
  SVC_MODEL3D_MAX_BYTES: integer({
    default: 512 * mebibyte,
    min: 1,
    unit: 'bytes',
    perLibrary: true,
    description: 'Largest 3D file that is read.',
  }),
  SVC_MODEL3D_ACCURATE_MAX_BYTES: integer({
    default: 0,
    min: 0,
    unit: 'bytes',
    description: 'Largest 3D file for which exact geometry is computed. 0 turns it off.',
  }),
  SVC_EMAIL_MAX_BYTES: integer({
    default: 256 * mebibyte,
    min: 1,
    unit: 'bytes',
    perLibrary: true,
    description: 'Largest email or mailbox file that is read.',
  }),
  SVC_EMAIL_MBOX_MAX_MESSAGES: integer({
    default: 5000,
    min: 1,
    unit: 'messages',
    description: 'Maximum number of messages read from one mailbox. Larger mailboxes are marked as truncated.',
  }),
  SVC_DOCUMENT_MAX_BYTES: integer({
    default: 256 * mebibyte,
    min: 1,
    unit: 'bytes',
    perLibrary: true,
    description:
      'Largest document or spreadsheet that is read. Of plain text and CSV, whose beginning can be read alone, the beginning is read at any size.',
  }),
  SVC_DOC_DECOMPRESSED_MAX: integer({
    default: 1024 * mebibyte,
    min: 1,
    unit: 'bytes',
    origin: 'default chosen',
    perLibrary: true,
    description: 'Largest uncompressed size of a document. Larger documents are not read.',
  }),
  SVC_DOC_DECOMPRESSION_RATIO: decimal({
    default: 100,
    min: 1,
    unit: 'unpacked size / packed size',
    origin: 'default chosen',
    perLibrary: true,
    description: 'Largest compression ratio of a document. Documents above it are not read.',
  }),
  SVC_DOC_DECOMPRESSION_RATIO_MIN_BYTES: integer({
    default: 10 * mebibyte,
    min: 0,
    unit: 'bytes',
    origin: 'default chosen',
    perLibrary: true,
    description: 'The compression ratio is only checked above this uncompressed size.',
  }),
  SVC_BODY_TEXT_MAX_CHARS: integer({
    default: 5_000_000,
    min: 1000,
    max: 50_000_000,
    unit: 'characters',
    origin: 'added',
    perLibrary: true,
    description: 'Most text that is kept and searched of one file. The default holds the longest novels.',
  }),
  SVC_DIGEST_MAX_BYTES: integer({
    default: 53_687_091_200,
    min: 1,
    unit: 'bytes',
    description: 'Largest file for which MD5 and SHA-256 are computed on demand.',
  }),
  SVC_ARCHIVE_MAX_MEMBERS: integer({
    default: 10_000,
    min: 1,
    unit: 'members',
    description: 'Maximum number of members listed for one archive.',
  }),
};

/** Image metadata, text recognition and detection of unknown files. */
export const readingSettings = {
  SVC_GPS_EXPOSE_DEFAULT: boolean({
    default: false,
    description: 'Whether new libraries show where photos were taken. This can be changed for each library.',
  }),
  SVC_EXIF_TIMEOUT_S: integer({ default: 30, min: 1, unit: 'seconds', description: 'Time limit for reading the metadata of one image.' }),
  SVC_OCR_ENABLED: boolean({
    default: false,
    description: 'Whether new libraries recognise text in images and scans. This can be changed for each library.',
  }),
  SVC_OCR_MAX_PAGES: integer({
    default: 10,
    min: 1,
    unit: 'pages',
    description: 'Maximum number of pages recognised in one scanned document.',
  }),
  SVC_OCR_TIMEOUT_S: integer({
    default: 120,
    min: 1,
    unit: 'seconds',
    description: 'Time limit for each run of text recognition.',
  }),
  SVC_OCR_LANG: text({
    default: 'eng',
    description: 'Language for text recognition. Join several with +, such as eng+deu.',
    check: matching(/^[A-Za-z0-9_/]+(\+[A-Za-z0-9_/]+)*$/, 'language codes joined by +, such as eng+deu'),
  }),
  SVC_CONTENT_SNIFF_ENABLED: boolean({
    default: false,
    description: 'Offers the action that detects the type of files without an extension from their content.',
  }),
  SVC_CONTENT_SNIFF_BATCH: integer({
    default: 5000,
    min: 1,
    unit: 'files',
    description: 'Number of files checked in one run of that action.',
  }),
  SVC_CONTENT_SNIFF_READ_BYTES: integer({
    default: 65_536,
    min: 1,
    unit: 'bytes',
    description: 'Number of bytes read from the start of each such file.',
  }),
};

/** Thumbnails and previews. */
export const thumbnailSettings = {
  SVC_THUMBS_ENABLED: boolean({
    default: true,
    description: 'Creates thumbnails and video posters as WebP images, also of the files that were read while this was off.',
  }),
  SVC_THUMBNAIL_GRID_PX: integer({
    default: 320,
    min: 16,
    max: 8192,
    unit: 'pixels',
    description: 'Longest edge of thumbnails in lists and grids.',
  }),
  SVC_THUMBNAIL_PREVIEW_PX: integer({ default: 800, min: 16, max: 8192, unit: 'pixels', description: 'Longest edge of previews.' }),
  SVC_THUMB_ACCEL: choice(['auto', 'off'], {
    default: 'auto',
    description: 'Whether video posters use graphics hardware: auto uses it if a render device exists, off never does.',
  }),
  SVC_THUMBNAIL_BUDGET_GB: decimal({
    default: 5,
    min: 0,
    unit: 'GiB',
    description: 'Total size of thumbnails above which the console shows a notice. Nothing is deleted. 0 turns the notice off.',
  }),
};
