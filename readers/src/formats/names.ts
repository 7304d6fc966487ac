/** One name for each codec, container and camera, whichever library or device wrote it, so that a facet has one value for each. */

const codecs: readonly [RegExp, string][] = [
  [/^(mpeg (1|2|2\.5) layer (3|iii)|mp3.*)$/, 'mp3'],
  [/^(mpeg (1|2|2\.5) layer (2|ii)|mp2.*)$/, 'mp2'],
  [/^(mpeg (1|2|2\.5) layer (1|i)|mp1.*)$/, 'mp1'],
  [/^(mpeg-4\/aac|aac.*|mpeg-4 (lc|he).*|mp4a.*)$/, 'aac'],
  [/^(apple lossless|alac.*)$/, 'alac'],
  [/^(vorbis.*)$/, 'vorbis'],
  [/^(opus.*)$/, 'opus'],
  [/^(flac.*)$/, 'flac'],
  [/^(speex.*)$/, 'speex'],
  [/^(pcm.*|lpcm.*|wave|sowt|twos|in24|fl32)$/, 'pcm'],
  [/^(adpcm.*|ima.*adpcm)$/, 'adpcm'],
  [/^(windows media audio.*|wma.*)$/, 'wma'],
  [/^(monkey.?s audio.*|ape)$/, 'ape'],
  [/^(musepack.*|mpc.*)$/, 'musepack'],
  [/^(wavpack.*)$/, 'wavpack'],
  [/^(dsd.*)$/, 'dsd'],
  [/^(dca|dts.*)$/, 'dts'],
  [/^(ac-?3)$/, 'ac3'],
  [/^(e-?ac-?3|ec-3)$/, 'eac3'],
  [/^(h\.?264.*|avc[1-4]?([. ].*)?|x264)$/, 'h264'],
  [/^(h\.?265.*|(hvc1|hev1)(\..*)?|hevc.*|x265)$/, 'hevc'],
  [/^(av1.*|av01.*|libaom.*)$/, 'av1'],
  [/^(vp0?9.*)$/, 'vp9'],
  [/^(vp0?8.*)$/, 'vp8'],
  [/^(mpeg2video|mpeg-?2)$/, 'mpeg2'],
  [/^(mpeg1video|mpeg-?1)$/, 'mpeg1'],
  [/^(mpeg-?4|mp4v.*|xvid|divx|dx50|fmp4)$/, 'mpeg4'],
  [/^(m?jpeg|mjpg|mjpa|mjpb)$/, 'mjpeg'],
  [/^(prores.*|ap(ch|cn|cs|co|4h|4x))$/, 'prores'],
  [/^(msmpeg4.*)$/, 'msmpeg4'],
  [/^(wmv.*|vc1)$/, 'wmv'],
];

/** The common lower-case name of a codec; an unknown one keeps its own in lower case. */
export function codecName(written: string | undefined): string | undefined {
  const name = written?.trim().toLowerCase();
  if (name === undefined || name === '') return undefined;
  return codecs.find(([pattern]) => pattern.test(name))?.[1] ?? name;
}

const containers: readonly [RegExp, string][] = [
  [/^(mpeg(-[0-9.]+)?|mp3|id3v?[0-9.]*)$/, 'mp3'],
  [/^(wave|wav|rf64|w64)/, 'wav'],
  [/^(aiff?|aifc)/, 'aiff'],
  [/^ogg/, 'ogg'],
  [/^flac/, 'flac'],
  [/^(matroska|webm|ebml)/, 'matroska'],
  [/^asf/, 'asf'],
  [/^(mpegts|mpeg-ts)/, 'mpegts'],
];
const mp4Extensions = new Set(['mp4', 'm4v', 'm4a', 'm4b', 'm4p', 'm4r', 'f4v', 'f4a', 'f4b', '3gp', '3g2']);

/** ffprobe calls every file of the MP4 family `mov,mp4,m4a,3gp,3g2,mj2`, and tag readers use the brand. */
export function containerName(written: string | undefined, extension: string): string | undefined {
  const name = written?.trim().toLowerCase();
  if (name === undefined || name === '') return undefined;
  if (/^(mov,mp4|mp4|m4a|m4b|isom|iso\d|3gp)/.test(name)) return mp4Extensions.has(extension) ? 'mp4' : 'mov';
  if (name.startsWith('webm') || (name.startsWith('matroska') && extension === 'webm')) return 'webm';
  return containers.find(([pattern]) => pattern.test(name))?.[1] ?? name.split(',')[0];
}

const makes: readonly [RegExp, string][] = [
  [/^nikon/i, 'Nikon'],
  [/^canon/i, 'Canon'],
  [/^sony/i, 'Sony'],
  [/^(olympus|om digital)/i, 'Olympus'],
  [/^panasonic/i, 'Panasonic'],
  [/^fuji/i, 'Fujifilm'],
  [/^(asahi optical|pentax)/i, 'Pentax'],
  [/^ricoh/i, 'Ricoh'],
  [/^(eastman kodak|kodak)/i, 'Kodak'],
  [/^samsung/i, 'Samsung'],
  [/^leica/i, 'Leica'],
  [/^casio/i, 'Casio'],
  [/^konica/i, 'Konica Minolta'],
  [/^minolta/i, 'Minolta'],
  [/^(hewlett|hp\b)/i, 'HP'],
  [/^apple/i, 'Apple'],
  [/^google/i, 'Google'],
  [/^huawei/i, 'Huawei'],
  [/^xiaomi/i, 'Xiaomi'],
  [/^motorola/i, 'Motorola'],
  [/^lg ?e/i, 'LG'],
  [/^gopro/i, 'GoPro'],
  [/^dji/i, 'DJI'],
  [/^hasselblad/i, 'Hasselblad'],
  [/^sigma/i, 'Sigma'],
  [/^sanyo/i, 'Sanyo'],
];

/** Make and model as one name: `NIKON CORPORATION` and `NIKON D70` become `Nikon D70`. */
export function cameraName(make: string | undefined, model: string | undefined): string | undefined {
  // Companies sell cameras of brands that they bought: Ricoh makes those named Pentax.
  const byModel = makes.find(([pattern]) => pattern.test(model ?? ''))?.[1];
  const known = byModel ?? makes.find(([pattern]) => pattern.test(make ?? ''))?.[1];
  const brand = known ?? make?.replace(/[\s,]+(corporation|corp\.?|co\.?|ltd\.?|inc\.?|gmbh|ag)\.?$/i, '').trim();
  if (model === undefined || brand === undefined || brand === '') return model ?? brand;
  const first = brand.split(/\s+/)[0] as string;
  const rest = model.toLowerCase().startsWith(brand.toLowerCase())
    ? model.slice(brand.length)
    : model.toLowerCase().startsWith(first.toLowerCase())
      ? model.slice(first.length)
      : ` ${model}`;
  return /^[\s_-]/.test(rest) || rest === '' ? `${brand} ${rest.replace(/^[\s_-]+/, '')}`.trim() : `${brand} ${model}`;
}

/** The language of a text without its region, so that `en`, `en-US` and `eng` are one: BCP 47, ISO 639-2 and common spellings of both. */
export function languageName(written: string): string {
  const code = /^([a-z]{2,3})(?:[-_][\w-]*)?$/i.exec(written.trim())?.[1];
  if (code === undefined) return written;
  try {
    return new Intl.Locale(code).language;
  } catch {
    return written;
  }
}
