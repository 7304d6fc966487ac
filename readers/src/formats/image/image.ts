import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { cameraName } from '../names.ts';
import { dicomKeys, readDicom } from './dicom.ts';
import { type Exif, exifFromBlock, exifFromTags, exifKeys } from './exif.ts';
import { readBmp, readDds, readExr, readIcon, readOtherHeader, readPnm, readPsd, readQoi, readRadiance, readTga } from './headers.ts';
import { readHeifExif, readHeifHeader } from './heif-items.ts';
import { bestDate, type ImageFacts, profileName, readXmp } from './image-facts.ts';
import { readJpeg } from './jpeg.ts';
import { readJpeg2000 } from './jpeg2000.ts';
import { readJxl } from './jxl.ts';
import { readPngBlocks } from './png.ts';
import { isActivity, readPict } from './rare-headers.ts';
import { embeddedBlocks, readRaw } from './raw.ts';
import { readSvg } from './svg.ts';
import { asNumbers, readTiffTags, type TiffTags } from './tiff-tags.ts';

const rasterExtensions = 'jpg jpeg jpe jfif jif jps mpo thm insp heics pjpeg png apng webp gif tif tiff avif avifs heic heif hif'.split(
  ' ',
);
const headerExtensions = [
  'bmp dib ico cur psd psb jxl jp2 j2k jpx jpf j2c pnm ppm pgm pbm dds qoi tga hdr exr dcm dicom pcx icns xbm xpm',
  'sgi rgb ras fits fit fts xcf pam emf wmf svg svgz bpg pict pct',
].flatMap((line) => line.split(' '));
const rawFormats = [
  '3fr ari arw bay cr2 cr3 crw dcr dng erf fff gpr iiq k25 kdc mef mos mrw nef nrw orf pef raf raw rw2 rwl sr2',
  'srf srw x3f',
].flatMap((line) => line.split(' '));
const rawExtensions = new Set(rawFormats);

/** Images of all kinds. The format is detected from the first bytes, so a PNG named .jpg is read as PNG. */
export const image: Extractor = {
  name: 'image',
  version: 10,
  text: true,
  extensions: [...rasterExtensions, ...headerExtensions, ...rawFormats],
  tools: [{ name: 'exiftool', lost: 'some exposure facts of Canon CRW and Sigma X3F files' }],
  keys: [
    'width',
    'height',
    'format',
    'mode',
    'color_space',
    'color_profile',
    'bit_depth',
    'has_alpha',
    'progressive',
    'dpi',
    'orientation',
    'animated',
    'frames',
    'duration',
    'pages',
    'icon_sizes',
    'layers',
    'dicom',
    'exif',
    ...exifKeys,
    ...dicomKeys,
    'camera',
    'lens',
    'taken_at',
    'keywords',
    'description',
    'author',
    'rating',
    'read_as',
  ],
  read: (source) => withFileBytes(source, async (file) => toExtracted(await readImage(file, source), source.extension)),
};

async function readImage(file: FileBytes, source: Source): Promise<ImageFacts> {
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  const head = file.read(0, 132);
  const latin = head.toString('latin1');
  if (rawExtensions.has(source.extension) && !finishedPicture.test(latin)) return readRaw(file, source);
  if (latin.startsWith('\xff\xd8\xff')) return readJpeg(file);
  if (latin.startsWith('8BPS')) return readPsd(file);
  if (latin.startsWith('\xff\x0a') || latin.slice(4, 8) === 'JXL ') return readJxl(file);
  if (latin.slice(4, 8) === 'jP  ' || latin.startsWith('\xff\x4f\xff\x51')) return readJpeg2000(file);
  if (latin.slice(128, 132) === 'DICM') return readDicom(file);
  if (latin.startsWith('BM') && latin.slice(6, 10) === '\0\0\0\0') return readBmp(file);
  if (latin.startsWith('\0\0\x01\0') || latin.startsWith('\0\0\x02\0')) return source.extension === 'tga' ? readTga(file) : readIcon(file);
  if (latin.startsWith('DDS ')) return readDds(file);
  if (latin.startsWith('qoif')) return readQoi(file);
  if (latin.startsWith('\x76\x2f\x31\x01')) return readExr(file);
  if (latin.startsWith('#?')) return readRadiance(file);
  const rare = readOtherHeader(file, latin);
  if (rare !== null) return rare;
  if (/^P[1-6]\s/.test(latin)) return readPnm(file);
  if (/^(\x1f\x8b|\xef\xbb\xbf|\s*<)/.test(latin)) return readSvg(file, source);
  if (source.extension === 'tga') return readTga(file);
  if (source.extension === 'fit' && isActivity(file)) return { format: activityFormat };
  if (['pict', 'pct'].includes(source.extension)) return readPict(file);
  if (headerExtensions.includes(source.extension))
    throw new ExtractError('corrupt', `The file is not a valid ${source.extension.toUpperCase()} image.`);
  if (latin.startsWith('\x89PNG')) return { ...(await readSharpHeader(source.path)), ...readPngBlocks(file) };
  // libvips does not return the tags of TIFF files, and nothing of damaged ones.
  const tags = /^(II|MM)/.test(latin) ? readTiffTags(file) : null;
  if (tags === null) {
    const facts = await readSharpHeader(source.path).catch((error: unknown) => otherHeif(error, file, latin));
    // libvips does not return the tags of some phones.
    const exif = facts.exif === undefined && latin.slice(4, 8) === 'ftyp' ? heifExif(file) : null;
    return exif === null ? facts : { ...facts, exif };
  }
  const own = { ...embeddedBlocks(tags), exif: exifFromTags(tags) };
  const facts = await readSharpHeader(source.path).catch((error: unknown) => damagedTiff(error, tags));
  return { ...facts, ...own };
}

/** Programs export finished pictures under the name of the RAW file. */
const finishedPicture = /^(?:\xff\xd8\xff|\x89PNG\r\n|8BPS|.{4}ftyp(?:hei|mif1|avif))/s;

const activityFormat = 'FIT activity';

/** What the tags of a TIFF file say, if the rest cannot be read and they say something. */
function damagedTiff(error: unknown, { images }: TiffTags): ImageFacts {
  const [width, height] = [0x100, 0x101].map((tag) => asNumbers(images[0]?.get(tag))[0]);
  if (!(error instanceof ExtractError) || !width || !height) throw error;
  return { format: 'TIFF', width, height };
}

/** libvips reads neither uncompressed nor damaged HEIF files. Their size is in the container, and their tags are in one piece. */
function otherHeif(error: unknown, file: FileBytes, head: string): ImageFacts {
  if (head.slice(4, 8) !== 'ftyp' || !(error instanceof ExtractError)) throw error;
  const exif = heifExif(file);
  const header = readHeifHeader(file);
  if (exif === null && header === null) throw error;
  const usual = head.slice(8, 16).includes('avi') || header?.type === 'av01' ? 'AVIF' : 'HEIC';
  const format = ['hvc1', 'av01', 'grid', 'mini', undefined].includes(header?.type) ? usual : 'HEIF';
  return { format, ...(header && { width: header.width, height: header.height }), ...(exif && { exif }) };
}

/** The tags are an item of their own, and often intact where the list of items is not. */
function heifExif(file: FileBytes): Exif | null {
  const item = readHeifExif(file);
  const bytes = item === null ? file.read(0, 1 << 20) : Buffer.alloc(0);
  const at = Math.max(bytes.indexOf('Exif\0\0II*\0', 0, 'latin1'), bytes.indexOf('Exif\0\0MM\0*', 0, 'latin1'));
  return item !== null ? exifFromBlock(item) : at === -1 ? null : exifFromBlock(bytes.subarray(at));
}

/** Extensions of the common formats. A file under the extension of another one says so. */
const usualExtensions: Readonly<Record<string, readonly string[]>> = {
  JPEG: ['jpg', 'jpeg', 'jpe', 'jfif', 'jif', 'pjpeg'],
  PNG: ['png', 'apng'],
  GIF: ['gif'],
  WEBP: ['webp'],
  TIFF: ['tif', 'tiff'],
  BMP: ['bmp', 'dib'],
  HEIC: ['heic', 'heif', 'hif', 'heics'],
  HEIF: ['heif', 'heic', 'hif', 'heics'],
  AVIF: ['avif', 'avifs', 'heif', 'hif'],
  PSD: ['psd', 'psb'],
  SVG: ['svg', 'svgz'],
};
const commonExtensions = new Set(Object.values(usualExtensions).flat());

function contradicts(format: string, extension: string): string | undefined {
  const usual = usualExtensions[format];
  const expectsOther = commonExtensions.has(extension) || rawExtensions.has(extension);
  return usual === undefined || !expectsOther || usual.includes(extension) ? undefined : usual[0];
}

function toExtracted(facts: ImageFacts, extension: string): Extracted {
  const { exif, xmp, iptc, title, text, ...rest } = facts;
  if (
    rest.width === undefined &&
    rest.format !== 'SVG' &&
    rest.format !== 'DICOM' &&
    rest.format !== activityFormat &&
    exif === undefined &&
    xmp === undefined &&
    iptc === undefined
  )
    throw new ExtractError('corrupt', 'The image has no size.');
  const metadata: Record<string, unknown> = { ...rest };
  const orientation = rest.orientation ?? exif?.orientation ?? xmp?.orientation;
  // The size of a HEIC is that of the upright picture, so its orientation must not be applied again; `exif.orientation` keeps it.
  metadata['orientation'] = ['HEIC', 'HEIF', 'AVIF'].includes(rest.format) ? undefined : orientation;
  if (exif !== undefined && Object.keys(exif).length > 0) {
    metadata['exif'] = exif;
  }
  const camera = cameraName(exif?.camera_make ?? xmp?.camera_make, exif?.camera_model ?? xmp?.camera_model);
  const taken = bestDate([exif?.taken_at, xmp?.taken_at, iptc?.taken_at]);
  Object.assign(metadata, { camera, lens: exif?.lens_model ?? xmp?.lens_model, taken_at: taken });
  metadata['keywords'] = xmp?.keywords ?? iptc?.keywords;
  metadata['description'] = xmp?.description ?? exif?.description ?? iptc?.description;
  metadata['author'] = xmp?.creator ?? exif?.artist ?? iptc?.creator;
  metadata['rating'] = xmp?.rating;
  metadata['read_as'] = contradicts(rest.format, extension);
  const year = taken === undefined ? undefined : Number(taken.slice(0, 4));
  const name = xmp?.title ?? iptc?.title ?? title;
  return {
    metadata,
    ...(name !== undefined && { title: name }),
    ...(year !== undefined && { year }),
    ...text,
  };
}

/** Reads PNG, WebP, GIF, TIFF, AVIF and HEIC with libvips. Pixels are not decoded. */
async function readSharpHeader(path: string): Promise<ImageFacts> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  const header = await sharp(path, { limitInputPixels: false, failOn: 'none' })
    .metadata()
    .catch((error: Error) => {
      // The message of libvips can contain the path of the file.
      const reason = error.message.replaceAll(`${path}: `, '').replaceAll(path, '').replace(/\s+/g, ' ').trim();
      throw new ExtractError('corrupt', `The image is damaged: ${reason.slice(0, 120)}`);
    });
  const facts: ImageFacts = { format: formatName(header.format, header.compression), width: header.width, height: header.height };
  const alpha = header.hasAlpha === true;
  facts.mode = modeName(header.space, alpha, header.isPalette === true);
  facts.color_space = header.space;
  facts.has_alpha = alpha;
  if (header.bitsPerSample !== undefined) facts.bit_depth = header.bitsPerSample;
  if (header.isProgressive) facts.progressive = true;
  if (header.density !== undefined && header.density > 1) facts.dpi = header.density;
  if (header.orientation !== undefined) facts.orientation = header.orientation;
  const pages = header.pages ?? 1;
  if (header.delay !== undefined && pages > 1) {
    facts.animated = true;
    facts.frames = pages;
    facts.duration = header.delay.slice(0, 100_000).reduce((sum, delay) => sum + delay, 0) / 1000;
    if (header.pageHeight !== undefined) facts.height = header.pageHeight;
  } else if (header.format === 'tiff' && pages > 1) facts.pages = pages;
  if (header.exif !== undefined) {
    const exif = exifFromBlock(header.exif);
    if (exif !== null) facts.exif = exif;
  }
  if (header.xmp !== undefined) facts.xmp = readXmp(header.xmp);
  const profile = header.icc === undefined ? undefined : profileName(header.icc);
  if (profile !== undefined) facts.color_profile = profile;
  return facts;
}

function formatName(format: string | undefined, compression: string | undefined): string {
  if (format === 'heif') return compression === 'av1' ? 'AVIF' : 'HEIC';
  return (format ?? 'unknown').toUpperCase();
}

function modeName(space: string | undefined, alpha: boolean, palette: boolean): string {
  if (palette) return 'P';
  if (space === 'b-w' || space === 'grey16') return alpha ? 'LA' : 'L';
  if (space === 'cmyk') return 'CMYK';
  if (space === 'lab') return 'LAB';
  return alpha ? 'RGBA' : 'RGB';
}
