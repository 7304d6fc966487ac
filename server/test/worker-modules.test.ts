import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** The project files and packages that a fresh process loads when it imports `entry`. */
async function modulesOf(entry: string): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import(${JSON.stringify(new URL(entry, import.meta.url).href)});
    process.stdout.write('\\n' + JSON.stringify(loaded) + '\\n', () => process.exit(0));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { maxBuffer: 16 * 1024 ** 2 });
  return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]') as string[]).map((url) => decodeURIComponent(url));
}

const isHttp = (url: string): boolean =>
  /\/server\/src\/.*\/http(-[a-z-]+)?\.ts$/.test(url) || /\/platform\/http\//.test(url) || /node_modules\/(fastify|@fastify)\//.test(url);

test('a worker process loads no route and no HTTP framework', async () => {
  const modules = await modulesOf('../src/command/worker.ts');
  expect(modules.filter((url) => url.endsWith('/catalog/scan/run.ts') || url.endsWith('/assembly/worker.ts'))).not.toEqual([]);
  expect(modules.filter(isHttp)).toEqual([]);
});

test('the app process loads the routes, so the rule above can fail', async () => {
  expect((await modulesOf('../src/command/app.ts')).filter(isHttp).length).toBeGreaterThan(20);
});
