import { afterAll, describe, expect, it } from 'vitest';
import { openSampleFolder } from '../../test/samples/source.ts';
import { makeMidi, makePcap, makePcapNg } from '../../test/samples/system-files.ts';
import { capture } from './capture.ts';
import { midi } from './midi.ts';
import { playlist } from './playlist.ts';
import { languageInName, subtitles } from './subtitles.ts';
import { log, timestampIn } from './text/log.ts';
import { torrent } from './torrent.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

describe('torrents', () => {
  const text = (value: string): string => `${Buffer.byteLength(value)}:${value}`;
  const files = `d6:lengthi1000e4:pathl${text('..')}${text('etc')}eed6:lengthi24e4:pathl${text('b.txt')}ee`;
  const bytes = `d8:announce${text('https://t.example/secret-pass-key/announce')}13:announce-listll${text('udp://u.example')}ee4:infod5:filesl${files}e4:name${text('Album')}12:piece lengthi16384eee`;

  it('reads name, files, size and number of trackers but not their addresses', async () => {
    const extracted = await torrent.read(samples.source('a.torrent', bytes));
    expect(extracted.title).toBe('Album');
    expect(extracted.metadata['torrent']).toMatchObject({
      name: 'Album',
      files: 2,
      size: 1024,
      trackers: 2,
      private: false,
      piece_length: 16384,
    });
    expect(extracted.archiveMembers).toBe('Album/../etc\nAlbum/b.txt');
    expect(JSON.stringify(extracted)).not.toContain('secret');
  });

  it('rejects deep nesting as a guard and damaged files as corrupt', async () => {
    await expect(torrent.read(samples.source('deep.torrent', 'l'.repeat(100_000)))).rejects.toMatchObject({ kind: 'guard' });
    for (const bad of ['', 'hello', 'd4:infoi5ee', '999999999999:x', bytes.slice(0, 90), 'i12e']) {
      await expect(torrent.read(samples.source('bad.torrent', bad)), bad).rejects.toMatchObject({ kind: 'corrupt' });
    }
  });
});

describe('playlists', () => {
  const read = async (name: string, text: string) => playlist.read(samples.source(name, text));

  it('lists entries of m3u, pls, xspf and cue files', async () => {
    const m3u = await read('a.m3u8', '#EXTM3U\n#PLAYLIST:Drive\n#EXTINF:123,Band - Song\n../music/song.mp3\nhttp://radio.example/stream\n');
    expect(m3u).toMatchObject({ title: 'Drive', metadata: { playlist: { format: 'm3u', entry_count: 2, duration: 123 } } });
    expect(m3u.bodyText).toBe('Band - Song song.mp3\nstream');
    const pls = await read('a.pls', '[playlist]\nFile2=b.mp3\nFile1=a.mp3\nTitle1=First\nLength1=60\n');
    expect(pls.metadata['playlist']).toMatchObject({
      entry_count: 2,
      entries: [{ location: 'a.mp3', title: 'First', seconds: 60 }, { location: 'b.mp3' }],
    });
    const xspf = await read(
      'a.xspf',
      '<playlist><title>Mix</title><trackList><track><location>file:///a.ogg</location><title>One</title><creator>Ada</creator><duration>2500</duration></track></trackList></playlist>',
    );
    expect(xspf).toMatchObject({ title: 'Mix', metadata: { playlist: { entries: [{ title: 'One', artist: 'Ada', seconds: 2.5 }] } } });
    const cue = await read(
      'a.cue',
      'PERFORMER "Band"\nTITLE "Album"\nFILE "disc.flac" WAVE\n  TRACK 01 AUDIO\n    TITLE "One"\n  TRACK 02 AUDIO\n    TITLE "Two"\n',
    );
    expect(cue).toMatchObject({
      title: 'Album',
      metadata: { playlist: { entry_count: 2, entries: [{ title: 'One', location: 'disc.flac' }, { title: 'Two' }] } },
    });
  });

  it('rejects entities as a guard and binary or damaged lists as corrupt', async () => {
    await expect(read('e.xspf', '<!DOCTYPE p [<!ENTITY a "b">]><playlist>&a;</playlist>')).rejects.toMatchObject({ kind: 'guard' });
    await expect(read('b.xspf', '<playlist><track>')).rejects.toMatchObject({ kind: 'corrupt' });
    await expect(playlist.read(samples.source('b.m3u', Buffer.alloc(300)))).rejects.toMatchObject({ kind: 'corrupt' });
  });
});

describe('midi', () => {
  it('reads tracks, notes, tempo and duration', async () => {
    const { metadata } = await midi.read(samples.source('a.mid', makeMidi()));
    expect(metadata).toEqual({
      duration: 2,
      midi: { format: 0, tracks: 1, notes: 4, channels: 1, tempo_bpm: 120, track_names: ['Piano'] },
    });
  });

  it('rejects every truncated file as corrupt', async () => {
    const whole = makeMidi();
    for (let i = 0; i < whole.length; i++) {
      await expect(midi.read(samples.source('cut.mid', whole.subarray(0, i)))).rejects.toMatchObject({ kind: 'corrupt' });
    }
  });
});

describe('subtitles', () => {
  const srt = '1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Hello</i> there\r\n\r\n2\r\n00:01:00,000 --> 00:01:03,000\r\nSecond line\r\n';

  it('counts cues and extracts text without markup', async () => {
    const extracted = await subtitles.read(samples.source('film.pt-BR.forced.srt', srt));
    expect(extracted.metadata).toEqual({ subtitles: { format: 'srt', cues: 2, language: 'pt-BR', forced: true }, duration: 63 });
    expect(extracted.bodyText).toBe('Hello there\nSecond line');
  });

  it('reads WebVTT, ASS, TTML, SAMI, MicroDVD and lyrics', async () => {
    const cases: [string, string, string][] = [
      ['a.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000 line:0\n<v Ada>Hi</v> all\n', 'Hi all'],
      ['a.ass', '[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}Hi\\Nall\n', 'Hi all'],
      ['a.ttml', '<tt xml:lang="en"><body><p begin="1s" end="2s">Hi<br/>all</p></body></tt>', 'Hi all'],
      ['a.smi', '<SAMI><BODY><SYNC Start=1000><P>Hi<br> all<SYNC Start=2000><P>&nbsp;</BODY></SAMI>', 'Hi all'],
      ['a.sub', '{10}{20}{y:i}Hi|all\n', 'Hi all'],
      ['a.lrc', '[ti:x]\n[00:01.00]Hi all\n', 'Hi all'],
    ];
    for (const [name, text, spoken] of cases) {
      const extracted = await subtitles.read(samples.source(name, text));
      expect(extracted.bodyText, name).toBe(spoken);
      expect(extracted.metadata['subtitles'], name).toMatchObject({ cues: 1 });
    }
  });

  it('detects the language from the last parts of the file name', () => {
    expect(languageInName('The.English.Patient.1996.de.srt')).toEqual({ language: 'de' });
    expect(languageInName('film.eng.sdh.srt')).toEqual({ language: 'en', hearing_impaired: true });
    expect(languageInName('it.srt')).toEqual({});
    expect(languageInName('My.Film.2020.srt')).toEqual({});
  });

  it('rejects text without times as corrupt', async () => {
    for (const name of ['x.srt', 'x.ass', 'x.ttml', 'x.smi', 'x.idx']) {
      await expect(subtitles.read(samples.source(name, 'just words')), name).rejects.toMatchObject({ kind: 'corrupt' });
    }
  });
});

describe('logs', () => {
  it('counts lines and finds the first and last timestamp', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `2024-05-06 07:${String(i % 60).padStart(2, '0')}:09,123 INFO step ${i}`);
    const extracted = await log.read(
      samples.source('a.log', `# start\n${lines.join('\n')}\n10.0.0.1 - - [06/May/2024:08:00:00 +0200] "GET /"`),
    );
    expect(extracted.metadata['log']).toEqual({
      lines: 20_002,
      first_timestamp: '2024-05-06T07:00:09',
      last_timestamp: '2024-05-06T06:00:00.000Z',
    });
    expect(extracted.bodyTextTruncated).toBe(true);
  });

  it('ignores times without a year', () => {
    expect(timestampIn('May  6 07:08:09 host kernel: x')).toBeUndefined();
    expect(timestampIn('[1700000000.5] x')).toBe('2023-11-14T22:13:20.000Z');
    expect(timestampIn('2024-99-99 07:08:09')).toBeUndefined();
  });

  it('rejects a binary file as corrupt', async () => {
    await expect(log.read(samples.source('b.log', Buffer.alloc(1000)))).rejects.toMatchObject({ kind: 'corrupt' });
  });
});

describe('captures', () => {
  it('counts packets and reads the time range in both formats', async () => {
    const old = await capture.read(samples.source('a.pcap', makePcap()));
    expect(old.metadata).toEqual({
      capture: {
        format: 'pcap',
        link: 'ethernet',
        packets: 3,
        bytes: 180,
        first_time: '2023-11-14T22:13:20.000Z',
        last_time: '2023-11-14T22:13:22.000Z',
        truncated: false,
      },
      duration: 2,
    });
    const next = await capture.read(samples.source('a.pcapng', makePcapNg()));
    expect(next.metadata['capture']).toMatchObject({
      format: 'pcapng',
      link: 'ethernet',
      packets: 2,
      bytes: 120,
      interfaces: 1,
      first_time: '2023-11-14T22:13:20.000Z',
    });
  });

  it('reads a truncated capture and rejects other files as corrupt', async () => {
    const cut = await capture.read(samples.source('cut.pcap', makePcap().subarray(0, 200)));
    expect(cut.metadata['capture']).toMatchObject({ packets: 2, truncated: true });
    await expect(capture.read(samples.source('x.pcap', Buffer.alloc(100)))).rejects.toMatchObject({ kind: 'corrupt' });
    await expect(capture.read(samples.source('y.pcap', 'short'))).rejects.toMatchObject({ kind: 'corrupt' });
  });
});
