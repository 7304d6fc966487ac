// Stops a service with SIGTERM under load: it must end within the grace time, and every request it accepted must get a whole answer. The
// kernel accepts connections on behalf of a closing listener and then resets them; such a request counts as refused if nothing came back,
// it was young, and, for a write, it had no effect.
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { itemIds } from '../lib/faults/load.mjs';
import { addLibrary, check, makeFiles, mustCall, scanAll, startService, stopService, temporaryFolder } from '../lib/faults/service.mjs';

const graceSeconds = 20;

export default async function stop({ rounds = 5, files = 200 }) {
  const folder = temporaryFolder('stop');
  const [library, configDir] = [join(folder, 'library'), join(folder, 'config')];
  mkdirSync(library);
  makeFiles(library, files);
  writeFileSync(join(library, 'large.bin'), Buffer.alloc(200 * 1024 * 1024, 1));
  const losses = [];
  const counts = { whole: 0, refused: 0, broken: 0 };
  const unanswered = [];
  let slowest = 0;
  let sequence = 0;
  for (let round = 1; round <= rounds + 1; round += 1) {
    const service = await startService({ configDir, env: { SVC_STOP_GRACE_SECONDS: String(graceSeconds) } });
    const existing = await mustCall(service.url, 'GET', '/libraries');
    const { id: libraryId } = existing[0] ?? (await addLibrary(service.url, library));
    if (round === 1) await scanAll(service.url, libraryId);
    const ids = await itemIds(service.url, libraryId);
    for (const { id, tag } of unanswered.splice(0)) {
      if ((await mustCall(service.url, 'GET', `/items/${id}`)).tags.includes(tag))
        losses.push(`round ${round - 1}: an edit took effect without an answer.`);
    }
    if (round > rounds) {
      await stopService(service);
      break;
    }
    let running = true;
    const loop = async (makeRequest) => {
      while (running) {
        const [method, path, body] = makeRequest();
        const outcome = await request(service, method, path, body);
        counts[outcome.kind] += 1;
        if (outcome.kind === 'broken') losses.push(`round ${round}: ${outcome.what}`);
        if (outcome.kind === 'refused') {
          if (method === 'PATCH') unanswered.push({ id: path.split('/').at(-1), tag: body.add_tags[0] });
          return;
        }
      }
    };
    const nextTag = () => {
      sequence += 1;
      return `s${sequence}`;
    };
    const pick = () => ids[Math.floor(Math.random() * ids.length)];
    const loops = [
      ...Array.from({ length: 4 }, () => loop(() => ['GET', '/search?q=red&limit=20'])),
      ...Array.from({ length: 4 }, () => loop(() => ['PATCH', `/items/${pick()}`, { add_tags: [nextTag()] }])),
      loop(() => ['POST', `/libraries/${libraryId}/scan`]),
      loop(() => ['GET', `/items?library_id=${libraryId}&limit=200`]),
    ];
    makeFiles(library, 100, round * 10_000);
    await sleep(3000);
    const seconds = await stopService(service);
    slowest = Math.max(slowest, seconds);
    if (seconds > graceSeconds + 5)
      losses.push(`round ${round}: stopping took ${seconds.toFixed(1)} s, more than the grace time of ${graceSeconds} s.`);
    running = false;
    await Promise.all(loops);
    losses.push(...(await check({ SVC_CONFIG_DIR: configDir })));
    if (losses.length > 0) break;
  }
  return { figures: { stops: rounds, 'slowest stop': `${slowest.toFixed(1)} s`, answers: JSON.stringify(counts) }, losses };
}

/** One request on a connection of its own: whole (a complete answer), refused (never accepted) or broken (accepted, then cut off). */
function request({ port }, method, path, body) {
  return new Promise((resolve) => {
    let connectedAt;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const sent = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: `/api/v1${path}`,
        agent: false,
        timeout: 60_000,
        headers: text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      },
      (response) => {
        response.resume();
        response.on('error', () => {});
        response.on('close', () =>
          resolve(
            response.complete
              ? { kind: 'whole' }
              : { kind: 'broken', what: `${method} ${path} was cut off after status ${response.statusCode}.` },
          ),
        );
      },
    );
    sent.on('socket', (socket) => socket.on('connect', () => (connectedAt = Date.now())));
    sent.on('timeout', () => sent.destroy(new Error('no answer in 60 s')));
    sent.on('error', (error) => {
      const young = connectedAt === undefined || Date.now() - connectedAt < 1000;
      resolve(young ? { kind: 'refused' } : { kind: 'broken', what: `${method} ${path}: ${error.message}` });
    });
    sent.end(text);
  });
}
