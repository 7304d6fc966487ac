/** Audio facts by ffprobe, for formats the tag reader does not know. */
import { ExtractError, type Source } from '../../contract.ts';
import { tagOf } from '../video/probe-values.ts';
import { probe } from '../video/probe.ts';

export interface AudioFacts {
  title?: string;
  artist?: string;
  album?: string;
  album_artist?: string;
  composer?: string;
  genre?: string;
  year?: number;
  track?: number;
  disc?: number;
  duration?: number;
  bitrate?: number;
  samplerate?: number;
  channels?: number;
  bit_depth?: number;
  audio_codec?: string;
  container?: string;
  lossless?: boolean;
  bpm?: number;
  compilation?: boolean;
  has_cover?: boolean;
  isrc?: string;
  comment?: string;
  chapters?: { title?: string; start?: number }[];
  chapter_count?: number;
}

export async function probeAudio(source: Source): Promise<AudioFacts> {
  const { format, streams, chapters } = await probe(source);
  const stream = streams.find((candidate) => candidate.codec_type === 'audio');
  if (stream === undefined) throw new ExtractError('corrupt', 'The file holds no audio.');
  const year = Number.parseInt(tagOf(format, 'date') ?? tagOf(format, 'year') ?? '', 10);
  return {
    title: tagOf(format, 'title'),
    artist: tagOf(format, 'artist'),
    album: tagOf(format, 'album'),
    genre: tagOf(format, 'genre'),
    ...(year > 0 && { year }),
    duration: positiveText(format.duration ?? stream.duration),
    bitrate: positiveText(stream.bit_rate ?? format.bit_rate),
    samplerate: positiveText(stream.sample_rate),
    channels: stream.channels,
    audio_codec: stream.codec_name,
    container: format.format_name?.split(',')[0],
    has_cover: streams.some((candidate) => candidate.disposition?.['attached_pic'] === 1),
    ...(chapters.length > 0 && {
      chapters: chapters
        .slice(0, 1000)
        .map((chapter) => ({ title: tagOf(chapter, 'title'), start: positiveText(chapter.start_time) ?? 0 })),
      chapter_count: chapters.length,
    }),
  };
}

function positiveText(value: string | undefined): number | undefined {
  const number = Number(value);
  return value !== undefined && Number.isFinite(number) && number > 0 ? number : undefined;
}
