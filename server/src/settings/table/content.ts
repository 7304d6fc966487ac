import { boolean, choice, decimal, integer, matching, text } from '../kinds.ts';

const mebibyte = 1_048_576;

/** Ceilings that keep one bad file from hurting the rest. */
export const extractionSettings = {
  SVC_EXTRACT_TIMEOUT_SECONDS: integer({
    default: 300,
    min: 1,
    unit: 'seconds',
    origin: 'default chosen',
    perLibrary: true,
    sentence: 'Extraction of one file is stopped after this long.',
  }),
  SVC_FFPROBE_TIMEOUT_S: integer({
    default: 30,
    min: 1,
    unit: 'seconds',
    perLibrary: true,
    sentence: 'Reading the facts of one video is stopped after this long.',
  }),
  SVC_FFPROBE_DEEP_HDR: boolean({
    default: true,
    sentence: 'Look at the first frame of HDR video as well, to tell HDR10+ apart and read its light levels.',
  }),
  SVC_MODEL3D_MAX_BYTES: integer({
    default: 512 * mebibyte,
    min: 1,
    unit: 'bytes',
    perLibrary: true,
    sentence: 'Larger 3D files are not read.',
  }),
  SVC_MODEL3D_ACCURATE_MAX_BYTES: integer({
    default: 0,
    min: 0,
    unit: 'bytes',
    sentence: '3D files up to this size get exact geometry; 0 turns it off.',
  }),
  SVC_EMAIL_MAX_BYTES: integer({
    default: 256 * mebibyte,
    min: 1,
    unit: 'bytes',
    perLibrary: true,
    sentence: 'Larger e-mail and mailbox files are not read.',
  }),
  SVC_EMAIL_MBOX_MAX_MESSAGES: integer({
    default: 5000,
    min: 1,
    unit: 'messages',
    sentence: 'Messages of one mailbox that are summarised; more are flagged as truncated.',
  }),
  SVC_DOCUMENT_MAX_BYTES: integer({
    default: 256 * mebibyte,
    min: 1,
    unit: 'bytes',
    perLibrary: true,
    sentence: 'Larger documents and spreadsheets are not read.',
  }),
  SVC_DOC_DECOMPRESSED_MAX: integer({
    default: 1024 * mebibyte,
    min: 1,
    unit: 'bytes',
    origin: 'default chosen',
    perLibrary: true,
    sentence: 'A document that unpacks to more than this is rejected.',
  }),
  SVC_DOC_DECOMPRESSION_RATIO: decimal({
    default: 100,
    min: 1,
    unit: 'unpacked size / packed size',
    origin: 'default chosen',
    perLibrary: true,
    sentence: 'A document that unpacks by more than this ratio is rejected.',
  }),
  SVC_DOC_DECOMPRESSION_RATIO_MIN_BYTES: integer({
    default: 10 * mebibyte,
    min: 0,
    unit: 'bytes',
    origin: 'default chosen',
    perLibrary: true,
    sentence: 'The ratio is not looked at below this unpacked size.',
  }),
  SVC_DIGEST_MAX_BYTES: integer({
    default: 53_687_091_200,
    min: 1,
    unit: 'bytes',
    sentence: 'MD5 and SHA-256 are computed on demand for files up to this size.',
  }),
  SVC_ARCHIVE_MAX_MEMBERS: integer({ default: 10_000, min: 1, unit: 'members', sentence: 'Members of one archive that are listed.' }),
};

/** What is read out of pictures, scanned pages and files without an extension. */
export const readingSettings = {
  SVC_GPS_EXPOSE_DEFAULT: boolean({
    default: false,
    sentence: 'Whether a new library shows where photos were taken; each library decides for itself.',
  }),
  SVC_EXIF_TIMEOUT_S: integer({ default: 30, min: 1, unit: 'seconds', sentence: 'Reading picture metadata is stopped after this long.' }),
  SVC_OCR_ENABLED: boolean({
    default: false,
    sentence: 'Whether a new library reads text in pictures and scans; each library decides for itself.',
  }),
  SVC_OCR_MAX_PAGES: integer({ default: 10, min: 1, unit: 'pages', sentence: 'Pages of one scanned PDF that are read.' }),
  SVC_OCR_TIMEOUT_S: integer({
    default: 120,
    min: 1,
    unit: 'seconds',
    sentence: 'Each run of the text recogniser is stopped after this long.',
  }),
  SVC_OCR_LANG: text({
    default: 'eng',
    sentence: 'Language of the text recogniser; join several with +, such as eng+deu.',
    check: matching(/^[A-Za-z0-9_/]+(\+[A-Za-z0-9_/]+)*$/, 'language codes joined by +, such as eng+deu'),
  }),
  SVC_CONTENT_SNIFF_ENABLED: boolean({
    default: false,
    sentence: 'Offer the action that recognises files without an extension by their content.',
  }),
  SVC_CONTENT_SNIFF_BATCH: integer({ default: 5000, min: 1, unit: 'files', sentence: 'Files one run of that action looks at.' }),
  SVC_CONTENT_SNIFF_READ_BYTES: integer({
    default: 65_536,
    min: 1,
    unit: 'bytes',
    sentence: 'Bytes read from the start of each such file.',
  }),
};

/** Small pictures of files. */
export const thumbnailSettings = {
  SVC_THUMBS_ENABLED: boolean({ default: true, sentence: 'Make thumbnails and posters as WebP pictures.' }),
  SVC_THUMBNAIL_GRID_PX: integer({
    default: 320,
    min: 16,
    max: 8192,
    unit: 'pixels',
    sentence: 'Longest edge of a thumbnail in lists and grids.',
  }),
  SVC_THUMBNAIL_PREVIEW_PX: integer({ default: 800, min: 16, max: 8192, unit: 'pixels', sentence: 'Longest edge of a preview.' }),
  SVC_THUMB_ACCEL: choice(['auto', 'off'], {
    default: 'auto',
    sentence: 'Use the graphics hardware for video posters when there is a render device, or never.',
  }),
  SVC_THUMBNAIL_BUDGET_GB: decimal({
    default: 5,
    min: 0,
    unit: 'GiB',
    sentence: 'Above this size of all thumbnails the console shows a note; nothing is deleted; 0 disables.',
  }),
};
