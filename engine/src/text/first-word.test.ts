import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

// The dictionary of a script is loaded at its first use, so each case needs a process of its own.
test.each(['ーが', '東京都', 'สวัสดีครับ'])('the first text of a process is cut like every later one: %s', (text) => {
  const script = `import { tokenize } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
    const cut = () => JSON.stringify(tokenize(${JSON.stringify(text)}));
    const first = cut(); tokenize('タワーが 東京 ไทย'); process.stdout.write(first === cut() ? 'same' : first + ' then ' + cut());`;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toBe('same');
});
