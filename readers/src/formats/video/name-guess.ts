/**
 * Title, year, season and episode guessed from a file name. The name is split at dots, underscores and spaces. The title ends at the first
 * episode number, year or release term ("1080p", "x265"). Names assigned by cameras yield only a year.
 */
interface NameGuess {
  title?: string;
  year?: number;
  season?: number;
  episode?: number;
  episodeTitle?: string;
}

const releaseWord =
  /^(?:\d{3,4}[pi]|[48]k|uhd|hd|fhd|sd|[xh]\.?26[345]|hevc|avc|av1|vp9|xvid|divx|10bit|8bit|hdr(?:10)?\+?|dv|dovi|sdr|blu-?ray|bdrip|brrip|bdremux|remux|web|webrip|web-?dl|webdl|hdtv|pdtv|dsr|dvd|dvdrip|dvdscr|hdrip|hdcam|cam|ts|telesync|screener|proper|repack|rerip|internal|limited|unrated|uncut|extended|remastered|imax|multi|dual|dubbed|subbed|nordic|aac\d?|ac3|eac3|ddp?\d?|dts(?:-?hd)?|truehd|atmos|flac|opus|mp3|amzn|nf|hulu|dsnp|atvp|hmax|complete)$/i;
const cameraName =
  /^(?:img|vid|dsc|dscn|dscf|mvi|mov|pict|gopr|gh\d\d|gx\d\d|dji|pxl|whatsapp|screen|clip|c\d{4}|\d+)[-_ ]?[\d_-]*(?:[-_ ].*)?$/i;
const seasonEpisode = /(?:^|[^a-z0-9])s(\d{1,3})[ ._-]*e(\d{1,4})(?:[ ._-]*(?:e|-)\d{1,4})*(?![a-z0-9])/i;
const seasonTimesEpisode = /(?:^|[^a-z0-9])(\d{1,2})x(\d{2,3})(?![a-z0-9])/i;
const spelledOut = /(?:^|[^a-z])season[ ._-]*(\d{1,3})(?:[ ._-]*episode[ ._-]*(\d{1,4}))?/i;
const episodeOnly = /(?:^|[^a-z0-9])(?:ep?|episode)[ ._-]?(\d{1,4})(?![a-z0-9])/i;

export function guessFromName(filename: string): NameGuess {
  const base = filename.replace(/\.[^.\s]{1,8}$/, '').slice(0, 300);
  if (cameraName.test(base)) return cameraGuess(base);
  const bare = base.replace(/^\s*\[[^\]]*\]\s*/, '').replace(/\s*[[{][^\]}]*[\]}]/g, ' ');
  const guess: NameGuess = {};
  const found = seasonEpisode.exec(bare) ?? seasonTimesEpisode.exec(bare) ?? spelledOut.exec(bare);
  if (found !== null) {
    guess.season = Number(found[1]);
    if (found[2] !== undefined) guess.episode = Number(found[2]);
  } else {
    const single = episodeOnly.exec(bare) ?? (bare === base ? null : / - (\d{1,4})(?:v\d)?(?=\s|$)/.exec(bare));
    if (single !== null) guess.episode = Number(single[1]);
    if (single !== null) return completeGuess(guess, bare, single);
  }
  return completeGuess(guess, bare, found);
}

function completeGuess(guess: NameGuess, bare: string, marker: RegExpExecArray | null): NameGuess {
  const before = words(marker === null ? bare : bare.slice(0, marker.index));
  const kept = beforeRelease(before);
  const year = yearIn(kept);
  if (year !== undefined) guess.year = year.value;
  const title = tidy(year === undefined ? kept : kept.slice(0, year.at));
  if (title !== '') guess.title = title;
  if (marker !== null) {
    const after = tidy(beforeRelease(words(bare.slice(marker.index + marker[0].length))));
    if (after !== '' && !/^\d+$/.test(after)) guess.episodeTitle = after;
  }
  return guess;
}

function cameraGuess(base: string): NameGuess {
  const stamped = /(?:^|\D)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:\D|$)/.exec(base);
  return stamped === null ? {} : { year: Number(stamped[1]) };
}

function words(text: string): string[] {
  // Dots separate words only in names without spaces ("Mr. Bean" keeps its dot).
  const spread = /\s/.test(text.trim()) ? text.replace(/_/g, ' ') : text.replace(/[._]+/g, ' ');
  return spread.split(/\s+/).filter((word) => word !== '');
}

function beforeRelease(list: readonly string[]): string[] {
  // The first word belongs to the title even if it is also a release term ("Web", "Cam").
  const at = list.findIndex(
    (word, index) =>
      index > 0 &&
      releaseWord.test(
        word.replace(/[()[\]]/g, '').replace(/-[^-]*$/, (tail) => (releaseWord.test(word.slice(0, -tail.length)) ? '' : tail)),
      ),
  );
  return at === -1 ? [...list] : list.slice(0, at);
}

/** The last word that is a year. The first word is skipped, because it may be the title ("1917", "2012"). */
function yearIn(list: readonly string[]): { at: number; value: number } | undefined {
  for (let at = list.length - 1; at > 0; at--) {
    const digits = /^[([]?((?:18|19|20)\d\d)[)\]]?$/.exec(list[at] as string)?.[1];
    if (digits !== undefined && Number(digits) >= 1880 && Number(digits) <= 2100) return { at, value: Number(digits) };
  }
  return undefined;
}

function tidy(list: readonly string[]): string {
  return list
    .join(' ')
    .replace(/^[\s\-–_.,()]+|[\s\-–_.,(]+$/g, '')
    .replace(/\s+/g, ' ');
}
