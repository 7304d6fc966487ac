/** SubRip subtitles as WebVTT, which is the format browsers play; WebVTT stays as it is. */
export function toWebVtt(text: string): string {
  const clean = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (clean.startsWith('WEBVTT')) return clean;
  return `WEBVTT\n\n${clean.replace(/^(\d+:\d\d:\d\d),(\d{3}) --> (\d+:\d\d:\d\d),(\d{3})/gm, '$1.$2 --> $3.$4')}`;
}

/** Whether subtitles belong to a video: `film.srt` or `film.en.srt` to `film.mkv`. */
export function isSubtitleOf(subtitle: string, video: string): boolean {
  const stem = video.replace(/\.[^.]*$/, '').toLowerCase();
  const name = subtitle.toLowerCase();
  return /\.(srt|vtt)$/.test(name) && name.startsWith(`${stem}.`);
}

/** The language in a name such as `film.en.srt`; empty if there is none. */
export const subtitleLanguage = (filename: string): string =>
  /\.([a-z]{2,3}(?:-[a-z]{2})?)\.\w+$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
