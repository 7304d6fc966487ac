/** A sandbox task that misbehaves on request in every way a hostile file could cause. For tests only. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { ExtractError, type Source } from '../src/contract.ts';
import { runTool } from '../src/input/external-tool.ts';

export interface Misbehavior {
  action: string;
  to?: string;
}

const kept: unknown[] = [];

export default async function misbehave(source: Source, { action, to }: Misbehavior): Promise<unknown> {
  switch (action) {
    case 'succeed':
      return { text: readFileSync(source.path, 'utf8'), buffer: Buffer.from('pixels') };
    case 'priority':
      return getPriority();
    case 'environment':
      return { ...process.env };
    case 'spin':
      for (;;) kept.length = 0;
    case 'wait':
      return new Promise(() => {});
    case 'allocate buffers':
      for (;;) kept.push(Buffer.alloc(64 * 1024 * 1024, 1));
    case 'allocate objects':
      for (;;) kept.push(new Array(1_000_000).fill({ action }));
    case 'leak 300 MB':
      for (let i = 0; i < 300; i++) kept.push(Buffer.alloc(1024 * 1024, 1));
      return process.memoryUsage.rss();
    case 'exit':
      return process.exit(3);
    case 'abort':
      return process.abort();
    case 'throw later':
      setTimeout(() => {
        throw new Error('late');
      }, 0);
      return new Promise(() => {});
    case 'write':
      return writeFileSync(to as string, 'x');
    case 'write scratch':
      writeFileSync(join(process.env['TMPDIR'] as string, 'note'), 'x');
      return 'written';
    case 'connect':
      return new Promise((resolve) => {
        const socket = connect(Number(to), '127.0.0.1');
        socket.on('connect', () => resolve('connected'));
        socket.on('error', (error) => resolve((error as NodeJS.ErrnoException).code));
      });
    case 'fetch':
      return fetch(to as string);
    case 'tool that sleeps':
      return runTool('/bin/sh', ['-c', 'sleep 600 & sleep 600', to as string], { timeoutSeconds: 600 });
    case 'tool that naps':
      return (await runTool('/bin/sh', ['-c', 'sleep 0.5; true', to as string], { timeoutSeconds: 60 })).code;
    case 'tool that is late':
      return runTool('/bin/sh', ['-c', 'sleep 600 & sleep 600'], { timeoutSeconds: 0.2 });
    case 'tool that prints too much':
      return runTool('/bin/sh', ['-c', 'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done'], {
        timeoutSeconds: 30,
        maxOutputBytes: 100_000,
      });
    case 'tool that is missing':
      return runTool('/nowhere/tool', [], { timeoutSeconds: 5 });
    case 'argument':
      return (await runTool('/bin/echo', ['--', to as string], { timeoutSeconds: 5 })).stdout.toString('utf8');
    case 'tool environment':
      return (await runTool('/usr/bin/env', [], { timeoutSeconds: 5 })).stdout.toString('utf8');
    case 'guard':
      throw new ExtractError('guard', `Too much in ${source.path}.`);
    case 'host path':
      throw new Error(`cannot read '${source.path}' nor /etc/secret/key.pem: postgres://me:pw@host/db`);
    case 'stray child':
      spawn('/bin/sleep', ['600']);
      return new Promise(() => {});
    default:
      throw new Error(action);
  }
}
