/**
 * The list of all extractors. Parent processes load it too, for versions and keys, so an extractor imports its parsing libraries only
 * inside `read`.
 */
import type { Extractor } from './contract.ts';
import { packedFile } from './formats/archive/compressed-file.ts';
import { oldArchive } from './formats/archive/old-archives.ts';
import { sevenZipArchive } from './formats/archive/seven-zip.ts';
import { tarArchive } from './formats/archive/tar.ts';
import { zipArchive } from './formats/archive/zip.ts';
import { audio } from './formats/audio.ts';
import { cad } from './formats/cad.ts';
import { calendar, contacts } from './formats/calendar-contacts.ts';
import { capture } from './formats/capture.ts';
import { certificate } from './formats/certificate/certificate.ts';
import { colorProfile } from './formats/color-profile.ts';
import { comic } from './formats/comic.ts';
import { compiledHelp } from './formats/compiled-help.ts';
import { dataFile } from './formats/database/data-file.ts';
import { dbf } from './formats/database/dbf.ts';
import { parquet } from './formats/database/parquet.ts';
import { sqlite } from './formats/database/sqlite.ts';
import { diskImage } from './formats/disk-image/disk-image.ts';
import { email } from './formats/email/email.ts';
import { mailbox } from './formats/email/mailbox.ts';
import { epub } from './formats/epub.ts';
import { executable } from './formats/executable.ts';
import { fictionBook } from './formats/fb2.ts';
import { font } from './formats/font/font.ts';
import { gcode } from './formats/gcode.ts';
import { image } from './formats/image/image.ts';
import { xmpSidecar } from './formats/image/xmp-sidecar.ts';
import { inDesign } from './formats/indesign.ts';
import { layeredDrawing } from './formats/layered-drawing.ts';
import { model3d } from './formats/mesh/model3d.ts';
import { midi } from './formats/midi.ts';
import { mobi } from './formats/mobi.ts';
import { wordDocument } from './formats/office/docx.ts';
import { iwork } from './formats/office/iwork.ts';
import { legacyOffice } from './formats/office/legacy-office.ts';
import { openDocument } from './formats/office/odf.ts';
import { presentation } from './formats/office/pptx.ts';
import { binarySpreadsheet } from './formats/office/xlsb.ts';
import { spreadsheet } from './formats/office/xlsx.ts';
import { oldDocument } from './formats/old-documents/old-document.ts';
import { packagedDocument } from './formats/packaged-documents.ts';
import { pageDescription } from './formats/page-description.ts';
import { pdf } from './formats/pdf/pdf.ts';
import { playlist } from './formats/playlist.ts';
import { propertyList } from './formats/property-list.ts';
import { sceneFile } from './formats/scene-file.ts';
import { shortcut } from './formats/shortcut.ts';
import { subtitles } from './formats/subtitles.ts';
import { technicalDrawing } from './formats/technical-drawing.ts';
import { table } from './formats/text/csv.ts';
import { webPage } from './formats/text/html.ts';
import { log } from './formats/text/log.ts';
import { notebook } from './formats/text/notebook.ts';
import { plainTextDocument } from './formats/text/plain-text.ts';
import { richText } from './formats/text/rtf.ts';
import { sourceCode } from './formats/text/source-code.ts';
import { torrent } from './formats/torrent.ts';
import { trackerModule } from './formats/tracker-module.ts';
import { video } from './formats/video/video.ts';
import { savedPages } from './formats/web/saved-pages.ts';

// biome-ignore format: one extractor per line keeps diffs small.
export const extractors: readonly Extractor[] = [
  image,
  audio,
  video,
  pdf,
  pageDescription,
  wordDocument,
  plainTextDocument,
  email,
  epub,
  fictionBook,
  layeredDrawing,
  iwork,
  legacyOffice,
  mailbox,
  mobi,
  notebook,
  openDocument,
  presentation,
  richText,
  sourceCode,
  spreadsheet,
  table,
  webPage,
  sevenZipArchive,
  oldArchive,
  packedFile,
  tarArchive,
  zipArchive,
  calendar,
  contacts,
  cad,
  capture,
  certificate,
  comic,
  compiledHelp,
  dbf,
  parquet,
  sqlite,
  diskImage,
  executable,
  font,
  gcode,
  log,
  model3d,
  midi,
  playlist,
  subtitles,
  torrent,
  trackerModule,
  dataFile,
  sceneFile,
  binarySpreadsheet,
  oldDocument,
  packagedDocument,
  propertyList,
  savedPages,
  xmpSidecar,
  technicalDrawing,
  inDesign,
  shortcut,
  colorProfile,
];

const byExtension = new Map<string, Extractor>();
for (const extractor of extractors) for (const extension of extractor.extensions) byExtension.set(extension, extractor);

/** Finds the extractor of an extension. A compound extension (`tar.gz`) falls back to its last part. */
export function findExtractor(extension: string): Extractor | undefined {
  const name = extension.toLowerCase();
  return byExtension.get(name) ?? byExtension.get(name.slice(name.lastIndexOf('.') + 1));
}
