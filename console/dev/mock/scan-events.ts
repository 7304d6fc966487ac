import type { ServerResponse } from 'node:http';

export function stagesAt(hashed: number, total: number) {
  return {
    walk: { done: total, total, failed: 0, rate: 19_200, state: 'done' },
    hash: { done: hashed, total, failed: 0, rate: 900, state: hashed < total ? 'running' : 'done' },
    extract: { done: Math.round(hashed * 0.55), total, failed: 6, rate: 318, state: 'running' },
    thumbnail: { done: Math.round(hashed * 0.3), total: null, failed: 0, rate: 120, state: 'running' },
    index: { done: Math.round(hashed * 0.53), total, failed: 0, rate: 2140, state: 'running' },
  };
}

/** Streams the progress of a running scan. */
export function scanEvents(scan: string, library: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const total = 188_412;
  let hashed = 139_604;
  let id = 0;
  const tick = () => {
    hashed = Math.min(total, hashed + 240);
    const data = {
      id: scan,
      library_id: library,
      status: 'running',
      phase: 'hashing',
      started_at: new Date(Date.now() - 600_000).toISOString(),
      finished_at: null,
      error: null,
      stalled: false,
      seen: total,
      files_per_s: 19_200,
      bytes_per_s: 412e6,
      elapsed: 600,
      current_folder: 'Models/boats/tug/exports/2024-03/',
      estimate: { seen: total, seconds: 1380, share: hashed / total },
      stats: { content_hashed: hashed, content_to_hash: total },
      stages: stagesAt(hashed, total),
      backpressure: { state: 'tripped', reason: 'The database is busy. Reading continues at full speed when it is idle.' },
    };
    id += 1;
    response.write(`id: ${id}\nevent: progress\ndata: ${JSON.stringify(data)}\n\n`);
  };
  tick();
  const timer = setInterval(tick, 1000);
  response.on('close', () => clearInterval(timer));
}
