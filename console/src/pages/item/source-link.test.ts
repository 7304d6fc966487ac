import { expect, test } from 'vitest';
import { originLinks, pathToUrl, sourceLink } from './source-link.ts';

test('paths of each system become URLs', () => {
  expect(pathToUrl('\\\\nas\\photos\\2023\\a b#.jpg')).toBe('file://nas/photos/2023/a%20b%23.jpg');
  expect(pathToUrl('D:\\Photos\\a.jpg')).toBe('file:///D:/Photos/a.jpg');
  expect(pathToUrl('/Volumes/Photos/å.jpg')).toBe('file:///Volumes/Photos/%C3%A5.jpg');
  expect(pathToUrl('smb://nas/photos/a.jpg')).toBe('smb://nas/photos/a.jpg');
  expect(pathToUrl('javascript:alert(1)')).toBeNull();
});

test('the native path takes precedence over the share', () => {
  expect(sourceLink({ native_path: '/Volumes/P/a.jpg', share_url: 'smb://nas/p/a.jpg' })?.path).toBe('/Volumes/P/a.jpg');
  expect(sourceLink({ native_path: null, share_url: null })).toBeNull();
});

test('only web addresses become origin links', () => {
  expect(originLinks({ metadata: { origin_url: 'https://www.example.org/report.pdf', referrer_url: 'javascript:alert(1)' } })).toEqual([
    { label: 'Downloaded from', href: 'https://www.example.org/report.pdf', words: 'example.org/report.pdf' },
  ]);
});
