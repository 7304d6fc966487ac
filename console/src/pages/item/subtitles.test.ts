import { expect, test } from 'vitest';
import { isSubtitleOf, subtitleLanguage, toWebVtt } from './subtitles.ts';
import { peaksOf } from './waveform-peaks.ts';

test('SubRip times become WebVTT times and commas in the text stay', () => {
  expect(toWebVtt('\uFEFF1\r\n00:00:01,500 --> 00:00:03,000\r\nHello, harbour\r\n')).toBe(
    'WEBVTT\n\n1\n00:00:01.500 --> 00:00:03.000\nHello, harbour\n',
  );
  expect(toWebVtt('WEBVTT\n\nx')).toBe('WEBVTT\n\nx');
  expect([subtitleLanguage('film.en.srt'), subtitleLanguage('film.pt-BR.vtt'), subtitleLanguage('film.srt')]).toEqual(['en', 'pt-br', '']);
});

test('a waveform has the loudest sample of each part', () => {
  expect(peaksOf(new Float32Array([0, 0.5, -1, 0.25]), 2)).toEqual([0.5, 1]);
  expect(peaksOf(new Float32Array(0), 2)).toEqual([0, 0]);
});

test('subtitles belong to the video whose name they begin with', () => {
  expect(isSubtitleOf('Film.srt', 'film.mkv')).toBe(true);
  expect(isSubtitleOf('film.en.vtt', 'film.mkv')).toBe(true);
  expect(isSubtitleOf('film 2.srt', 'film.mkv')).toBe(false);
  expect(isSubtitleOf('film.txt', 'film.mkv')).toBe(false);
});
