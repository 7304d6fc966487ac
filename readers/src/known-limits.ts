/** What readers leave out on purpose or for lack of a public description, as sentences for the manual. */
export const knownLimits: readonly string[] = [
  'JPEG XL: thumbnails need `ffmpeg`. Decoders in WebAssembly take about five seconds per megapixel; size, orientation and tags are read without it.',
  'JPEG 2000: thumbnails need `ffmpeg`. Icons (`icns`) that hold nothing else have none.',
  'HEIF (`heif`): pictures in HEVC, AV1, JPEG and without compression. Those in AVC, VVC or JPEG 2000, floating point, palettes and sensor mosaics have facts, but no thumbnail, because cameras and phones do not write them.',
  'PostScript (`eps`, `ps`) without a stored preview: lines, areas, pictures, and text in a shipped font. Embedded fonts, shadings and JPEG data are left out.',
  'InDesign (`indd`): facts and the stored picture. The text has no public description; the exchange format `idml` is read.',
  'SolidWorks and DWG: facts, and the stored picture if there is one, but no text.',
  'Microsoft Project (`mpp`) before version 2000: facts, but no text. Later ones: names, notes and text fields of tasks and resources.',
  'Numbers, Pages and Keynote: numbers and dates of tables as values, not in the format of the cell. Durations are left out, and a choice of a pop-up menu can be its number.',
  'Excel (`xls`): results of formulas as the file stores them. They are not calculated again.',
  'Hangul documents that are locked for distribution: the preview text only.',
  'Text in EBCDIC, and WordPerfect before version 5, are not recognised.',
  'Files with a password: facts outside the protected part, and `encrypted: true`.',
  'Recordings that are cut off before their first frame: no facts of the stream.',
];
