import { describe, expect, it } from 'vitest';
import { guessFromName } from './name-guess.ts';

describe('title, season, episode and year are guessed from the name', () => {
  it.each([
    ['The.Wire.S01E03.The.Buys.1080p.BluRay.x265-GRP.mkv', { title: 'The Wire', season: 1, episode: 3, episodeTitle: 'The Buys' }],
    [
      'The Office (2005) - s02e10 - Christmas Party.mp4',
      { title: 'The Office', year: 2005, season: 2, episode: 10, episodeTitle: 'Christmas Party' },
    ],
    ['Blade.Runner.2049.2017.2160p.UHD.BluRay.mkv', { title: 'Blade Runner 2049', year: 2017 }],
    ['1917.2019.1080p.mkv', { title: '1917', year: 2019 }],
    ['Amélie (2001).avi', { title: 'Amélie', year: 2001 }],
    ['Show 4x07 Something.avi', { title: 'Show', season: 4, episode: 7, episodeTitle: 'Something' }],
    ['[Group] Some Anime - 05 [1080p].mkv', { title: 'Some Anime', episode: 5 }],
    ['Planet Earth Season 2 Episode 3.mkv', { title: 'Planet Earth', season: 2, episode: 3 }],
    ['Mr. Bean holiday.mp4', { title: 'Mr. Bean holiday' }],
    ['Heat.1995.REMUX.mkv', { title: 'Heat', year: 1995 }],
    ['VID_20240501_101112.mp4', { year: 2024 }],
    ['IMG_0042.MOV', {}],
    ['C0012.MP4', {}],
    ['.mkv', {}],
  ])('%s', (name, expected) => {
    expect(guessFromName(name)).toEqual(expected);
  });

  it('handles a very long name quickly', () => {
    expect(guessFromName(`${'a.'.repeat(4000)}S01E`)).toMatchObject({ title: expect.any(String) });
  });
});
