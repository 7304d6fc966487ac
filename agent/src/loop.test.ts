import { expect, test } from 'vitest';
import { ServiceUnreachable } from './client.ts';
import { repeat } from './loop.ts';

test.each([
  [new ServiceUnreachable('http://catalog', new Error('refused')), /the network and the firewall\. Trying again\.$/],
  [new Error('The disk is full'), /^The disk is full\. Trying again\.$/],
  [new Error('The page failed', { cause: new Error('no port') }), /^The page failed \(no port\)\. Trying again\.$/],
])('a failure is logged as one sentence, followed by what happens next: %s', async (error, expected) => {
  const stop = new AbortController();
  const lines: string[] = [];
  const log = (line: string) => {
    lines.push(line);
    stop.abort();
  };
  await repeat(stop.signal, log, async () => {
    throw error;
  });
  expect(lines).toEqual([expect.stringMatching(expected)]);
});
