import { expect, test } from 'vitest';
import { searchPath } from './external-tool.ts';

test('a tool is found in the absolute folders of the path, also as Windows writes them', () => {
  const among = (...files: string[]) => ({ exists: (file: string) => files.includes(file) });
  const unix = { windows: false, path: 'bin::/usr/bin:/opt/bin' };
  expect(searchPath('ffprobe', { ...unix, ...among('/opt/bin/ffprobe') })).toBe('/opt/bin/ffprobe');
  expect(searchPath('ffprobe', { ...unix, ...among('bin/ffprobe', 'ffprobe', '/usr/bin/ffprobe.exe') })).toBeNull();
  const windows = { windows: true, path: 'tools;;C:\\Windows;D:\\Program Files\\ffmpeg\\bin' };
  expect(searchPath('ffprobe', { ...windows, ...among('D:\\Program Files\\ffmpeg\\bin\\ffprobe.exe') })).toBe(
    'D:\\Program Files\\ffmpeg\\bin\\ffprobe.exe',
  );
  expect(searchPath('ffprobe', { ...windows, ...among('tools\\ffprobe.exe', 'C:\\Windows\\ffprobe') })).toBeNull();
});
