import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { launchdPlist, serviceDefinition, systemdUnit, windowsTask } from './service.ts';

const options = { program: ['/opt/my agent/catalog-agent'], dataDir: '/var/lib/a & "b" 100% $HOME' };
const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

test('the systemd unit quotes paths, restarts the agent, and can write to data and program folder only', () => {
  const unit = systemdUnit(options);
  expect(unit).toContain('ExecStart="/opt/my agent/catalog-agent" run --data-dir "/var/lib/a & \\"b\\" 100%% $$HOME"\n');
  expect(unit).toContain('Restart=always');
  expect(unit).toContain('ProtectSystem=strict');
  expect(unit).toMatch(/ReadWritePaths="[^\n]+" "\/opt\/my agent"\n/);
});

test.skipIf(!has('systemd-analyze'))('systemd accepts the unit (needs systemd-analyze)', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-unit-'));
  try {
    const file = path.join(folder, 'catalog-agent.service');
    writeFileSync(file, systemdUnit({ program: [process.execPath], dataDir: folder }));
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('catalog-agent.service'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.skipIf(!has('python3'))('the launch daemon is a property list with every word as given (needs python3)', () => {
  const script = 'import sys, plistlib, json; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
  const parsed = JSON.parse(execFileSync('python3', ['-c', script], { input: launchdPlist(options), encoding: 'utf8' }));
  expect(parsed).toMatchObject({
    ProgramArguments: ['/opt/my agent/catalog-agent', 'run', '--data-dir', options.dataDir],
    KeepAlive: true,
    RunAtLoad: true,
  });
});

test.skipIf(!has('python3'))('the Windows task is XML that starts the agent with the machine, without a time limit (needs python3)', () => {
  const given = { program: ['C:\\Program Files\\Catalog Agent\\catalog-agent.exe'], dataDir: 'C:\\Data "x"\\' };
  const script =
    'import sys, json, xml.etree.ElementTree as t; n = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"; r = t.fromstring(sys.stdin.buffer.read().decode("utf8").split("?>", 1)[1]); print(json.dumps([r.find(f".//{n}{k}").text for k in ("Command", "Arguments", "ExecutionTimeLimit", "UserId")]))';
  const found = JSON.parse(execFileSync('python3', ['-c', script], { input: windowsTask(given), encoding: 'utf8' }));
  expect(found).toEqual([given.program[0], 'run --data-dir "C:\\Data \\"x\\"\\\\"', 'PT0S', 'S-1-5-18']);
});

test('each platform has its file and the commands that start it', () => {
  const found = (['linux', 'darwin', 'win32'] as const).map((platform) => serviceDefinition(platform, options));
  expect(found.map(({ file }) => path.basename(file))).toEqual([
    'catalog-agent.service',
    'org.catalog.agent.plist',
    'catalog-agent-task.xml',
  ]);
  expect(found.map(({ commands }) => commands[0]?.[0])).toEqual(['systemctl', 'launchctl', 'schtasks']);
});
