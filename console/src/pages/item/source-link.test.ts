import { expect, test } from 'vitest';
import { originLinks, pathToUrl, sourceLink, sourceLinks } from './source-link.ts';

test('paths of each system become URLs', () => {
  expect(pathToUrl('\\\\nas\\photos\\2023\\a b#.jpg')).toBe('file://nas/photos/2023/a%20b%23.jpg');
  expect(pathToUrl('D:\\Photos\\a.jpg')).toBe('file:///D:/Photos/a.jpg');
  expect(pathToUrl('/Volumes/Photos/å.jpg')).toBe('file:///Volumes/Photos/%C3%A5.jpg');
  expect(pathToUrl('smb://nas/photos/a.jpg')).toBe('smb://nas/photos/a.jpg');
  expect(pathToUrl('javascript:alert(1)')).toBeNull();
});

test('a file is offered as smb, UNC and file address, and each once', () => {
  const paths = (item: Parameters<typeof sourceLinks>[0]) => sourceLinks(item).map(({ label, path }) => [label, path]);
  expect(paths({ native_path: null, share_url: 'smb://nas/p/a%20b.jpg', share_unc: '\\\\nas\\p\\a b.jpg' })).toEqual([
    ['Network address', 'smb://nas/p/a%20b.jpg'],
    ['Windows path', '\\\\nas\\p\\a b.jpg'],
    ['File address', 'file://nas/p/a%20b.jpg'],
  ]);
  expect(paths({ native_path: '/Volumes/P/a.jpg', share_url: 'nfs://nas/p/a.jpg', share_unc: null })).toEqual([
    ['Original location', '/Volumes/P/a.jpg'],
    ['Network address', 'nfs://nas/p/a.jpg'],
    ['File address', 'file:///Volumes/P/a.jpg'],
  ]);
  expect(paths({ native_path: null, share_url: null, share_unc: null })).toEqual([]);
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
