import { expect, it } from 'vitest';
import { extractors } from './registry.ts';
import { toolStatus } from './tool-status.ts';

it('lists each tool once, with its version when it is there and what is lost without it', async () => {
  const found = await toolStatus([
    ...extractors,
    {
      tools: [
        { name: 'no-such-tool', lost: 'nothing at all' },
        { name: 'sh', lost: 'a shell' },
      ],
    },
    { tools: [{ name: 'sh', lost: 'another shell' }] },
  ]);
  expect(found.find((tool) => tool.name === 'no-such-tool')).toEqual({ name: 'no-such-tool', present: false, lost: ['nothing at all'] });
  expect(found.find((tool) => tool.name === 'sh')).toMatchObject({ present: true, lost: ['a shell', 'another shell'] });
  expect(new Set(found.map((tool) => tool.name)).size).toBe(found.length);
  const ffprobe = found.find((tool) => tool.name === 'ffprobe');
  expect(ffprobe?.lost.length).toBeGreaterThan(0);
});
