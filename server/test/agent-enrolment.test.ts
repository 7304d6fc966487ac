import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../agent/src/client.ts';
import { filesIn } from '../../agent/src/config.ts';
import { enrol } from '../../agent/src/enrol.ts';
import { createTestApp, type TestApp } from './app.ts';

let t: TestApp;
let line: Server;
let url = '';
let isCut = false;
const sockets = new Set<Socket>();
const cut = async (): Promise<void> => {
  isCut = true;
  for (const socket of sockets) socket.destroy();
};
const mend = (): void => {
  isCut = false;
};
/** The next request that begins like this takes effect, and its answer is lost. */
let lostAnswer: RegExp | null = null;
/** The next requests that begin like this are answered on the way. */
let intercepted: { request: RegExp; answer: string } | null = null;
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-agent-enrolment-'));
const root = path.join(folder, 'files');

beforeAll(async () => {
  mkdirSync(root);
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = t.app.server.address() as AddressInfo;
  line = createServer((near) => {
    near.on('error', () => {});
    sockets.add(near);
    if (isCut) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    far.on('error', () => near.destroy());
    near.on('close', () => {
      sockets.delete(near);
      far.destroy();
    });
    near.on('data', (part) => {
      const text = part.toString('latin1');
      if (intercepted?.request.test(text)) return void near.end(intercepted.answer);
      if (lostAnswer?.test(text)) {
        lostAnswer = null;
        far.removeAllListeners('data').once('data', () => near.destroy());
      }
      far.write(part);
    });
    far.on('data', (part) => near.write(part));
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
});
afterAll(async () => {
  line.close();
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

const issue = async (more: object = {}): Promise<string> => (await t.request('POST', '/agents/enrollment-tokens', more)).json().token;
const never = async (): Promise<void> => {
  throw new Error('Nothing to wait for.');
};

test('a wrong folder or address is named in one sentence, and the token stays usable', async () => {
  const given = { url, token: await issue(), roots: [root], dataDir: path.join(folder, 'checked'), name: 'checked' };
  await expect(enrol({ ...given, roots: [root, '/nowhere/at/all'] }, never)).rejects.toThrow('The folder /nowhere/at/all does not exist.');
  for (const wrong of ['catalog', 'catalog:8080', 'file:///tmp'])
    await expect(enrol({ ...given, url: wrong }, never), wrong).rejects.toThrow(`"${wrong}" is not the address of a service.`);
  await cut();
  await expect(enrol(given, never)).rejects.toThrow(
    /^The service at http:\/\/127\.0\.0\.1:\d+ cannot be reached \(.+\)\. Check the address/,
  );
  mend();
  expect(await enrol(given, never)).toMatchObject({ name: 'checked', roots: [root] });
});

test('waiting for approval goes on through a restart of the service and after an interruption', async () => {
  const dataDir = path.join(folder, 'approved');
  const kept = path.join(dataDir, 'enrolment.json');
  const given = { url, token: await issue({ requires_approval: true }), roots: [root], dataDir, name: 'approved' };
  await expect(
    enrol(given, async () => {
      throw new Error('Interrupted.');
    }),
  ).rejects.toThrow('Interrupted.');
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  expect(readFileSync(kept, 'utf8')).not.toContain(given.token);
  const waiting = (await t.request('GET', '/agents')).json().items.find(({ name }: { name: string }) => name === 'approved');
  const steps: (() => Promise<unknown>)[] = [
    // More often than wrong secrets are accepted from one address.
    ...Array.from({ length: 40 }, () => async () => {}),
    cut,
    async () => {},
    async () => {
      await t.request('POST', `/agents/${waiting.id}/approve`);
      mend();
    },
  ];
  const config = await enrol(given, async (seconds) => {
    expect(seconds).toBe(10);
    await steps.shift()!();
  });
  expect(steps).toEqual([]);
  expect(config.agentId).toBe(waiting.id);
  expect(existsSync(kept)).toBe(false);
});

test('a machine that was refused registers again with another token', async () => {
  const dataDir = path.join(folder, 'refused');
  const given = { url, roots: [root], dataDir, name: 'refused' };
  const refused = enrol({ ...given, token: await issue({ requires_approval: true }) }, async () => {
    const held = (await t.request('GET', '/agents')).json().items.find(({ name }: { name: string }) => name === 'refused');
    expect((await t.request('DELETE', `/agents/${held.id}`)).statusCode).toBe(200);
  });
  await expect(refused).rejects.toMatchObject({ code: 'agent_revoked' });
  expect(existsSync(path.join(dataDir, 'enrolment.json'))).toBe(false);
  expect(await enrol({ ...given, token: await issue() }, never)).toMatchObject({ name: 'refused' });
});

const idsOf = async (name: string): Promise<string[]> =>
  (await t.request('GET', `/agents?q=${name}`)).json().items.map(({ id }: { id: string }) => id);
const certified = (dataDir: string): boolean => {
  const { certificate, key } = filesIn(dataDir);
  return new X509Certificate(readFileSync(certificate)).checkPrivateKey(createPrivateKey(readFileSync(key)));
};

test('an enrolment goes on when the answer with the certificate was lost', async () => {
  const given = { url, token: await issue(), roots: [root], dataDir: path.join(folder, 'lost'), name: 'lost' };
  lostAnswer = /^POST \S+\/certificate /;
  let waits = 0;
  const config = await enrol(given, async () => {
    waits += 1;
  });
  expect([waits, certified(given.dataDir)]).toEqual([1, true]);
  expect(await idsOf('lost')).toEqual([config.agentId]);
});

test('an enrolment goes on with the same key when the machine could not store the certificate', async () => {
  const given = { url, token: await issue(), roots: [root], dataDir: path.join(folder, 'unstored'), name: 'unstored' };
  // What is written under another name first fails like a full disk.
  const obstacle = `${filesIn(given.dataDir).config}.partial`;
  mkdirSync(obstacle, { recursive: true });
  await expect(enrol(given, never)).rejects.toThrow('EISDIR');
  rmSync(obstacle, { recursive: true });
  const config = await enrol(given, never);
  expect(certified(given.dataDir)).toBe(true);
  expect(await idsOf('unstored')).toEqual([config.agentId]);
  const client = createClient(config, given.dataDir);
  expect((await client.send('POST', '/heartbeat', { body: {} })).status).toBe(200);
});

test('the same command registers the same agent when the answer to the registration was lost', async () => {
  const given = { url, token: await issue(), roots: [root], dataDir: path.join(folder, 'unanswered'), name: 'unanswered' };
  lostAnswer = /^POST \S+\/register /;
  await expect(enrol(given, never)).rejects.toThrow('cannot be reached');
  const config = await enrol(given, never);
  expect(await idsOf('unanswered')).toEqual([config.agentId]);
});

test('a data folder that cannot be written is named, and the token stays usable', async () => {
  const given = { url, token: await issue(), roots: [root], name: 'unwritable' };
  const file = path.join(folder, 'a file');
  writeFileSync(file, '');
  const dataDir = path.join(file, 'agent');
  await expect(enrol({ ...given, dataDir }, never)).rejects.toThrow(`The data folder ${dataDir} cannot be written`);
  expect(await enrol({ ...given, dataDir: path.join(folder, 'writable') }, never)).toMatchObject({ name: 'unwritable' });
});

test('a refusal that is not of the service does not end the enrolment', async () => {
  const given = { url, token: await issue(), roots: [root], dataDir: path.join(folder, 'behind a proxy'), name: 'behind' };
  const body = '{"message":"Sign in to the network."}';
  intercepted = {
    request: /^POST \S+\/certificate /,
    answer: `HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  };
  const config = await enrol(given, async () => {
    intercepted = null;
  });
  expect(await idsOf('behind')).toEqual([config.agentId]);
});
