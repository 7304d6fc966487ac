/**
 * Installs the agent as a service that starts with the machine: a systemd unit on Linux, a launch daemon on macOS, and a task of the Task
 * Scheduler on Windows, because a console program is no Windows service. Each restarts the agent when it ends, so that an update is taken.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

interface ServiceOptions {
  /** The program and its first arguments. */
  program: readonly string[];
  dataDir: string;
}

const restartSeconds = 10;

/** Quotes one argument for a command line in a systemd unit file. */
function unitWord(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w@%+=:,./\\-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}

/** The unit can write to the data folder and to the folder of the program, for updates, and to nothing else. */
export function systemdUnit({ program, dataDir }: ServiceOptions): string {
  const writable = [dataDir, path.dirname(program[0] ?? '/')].map(unitWord).join(' ');
  return `[Unit]
Description=Catalog agent
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=${[...program, 'run', '--data-dir', dataDir].map(unitWord).join(' ')}
Restart=always
RestartSec=${restartSeconds}
Nice=10
IOSchedulingClass=best-effort
IOSchedulingPriority=7
LimitNOFILE=65536
ProtectSystem=strict
ReadWritePaths=${writable}
ProtectHome=read-only
PrivateTmp=true

[Install]
WantedBy=multi-user.target
`;
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const launchdLabel = 'org.catalog.agent';

export function launchdPlist({ program, dataDir }: ServiceOptions): string {
  const words = [...program, 'run', '--data-dir', dataDir].map((word) => `    <string>${xml(word)}</string>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${launchdLabel}</string>
  <key>ProgramArguments</key>
  <array>
${words}  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ThrottleInterval</key>
  <integer>${restartSeconds}</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>LowPriorityIO</key>
  <true/>
  <key>StandardOutPath</key>
  <string>${xml(path.posix.join(dataDir, 'agent.log'))}</string>
  <key>StandardErrorPath</key>
  <string>${xml(path.posix.join(dataDir, 'agent.log'))}</string>
</dict>
</plist>
`;
}

const taskName = 'Catalog Agent';

/** Quotes one argument for a Windows command line, as CommandLineToArgvW reads it. */
function windowsWord(text: string): string {
  return /^[^\s"]+$/.test(text) ? text : `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}

/** Runs as the local system account, starts with the machine and has no time limit. */
export function windowsTask({ program: [command = '', ...first], dataDir }: ServiceOptions): string {
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Reports the files of this machine to a catalog.</Description>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
      <Repetition>
        <Interval>PT1M</Interval>
      </Repetition>
    </BootTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>S-1-5-18</UserId>
      <RunLevel>HighestAvailable</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>8</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xml(command)}</Command>
      <Arguments>${xml([...first, 'run', '--data-dir', dataDir].map(windowsWord).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

interface Definition {
  file: string;
  text: string;
  encoding: 'utf8' | 'utf16le';
  /** Run after the file is written. */
  commands: [string, ...string[]][];
}

export function serviceDefinition(platform: NodeJS.Platform, options: ServiceOptions): Definition {
  if (platform === 'win32') {
    const file = path.join(os.tmpdir(), 'catalog-agent-task.xml');
    return {
      file,
      text: `\ufeff${windowsTask(options)}`,
      encoding: 'utf16le',
      commands: [
        ['schtasks', '/create', '/f', '/tn', taskName, '/xml', file],
        ['schtasks', '/run', '/tn', taskName],
      ],
    };
  }
  if (platform === 'darwin') {
    const file = `/Library/LaunchDaemons/${launchdLabel}.plist`;
    return { file, text: launchdPlist(options), encoding: 'utf8', commands: [['launchctl', 'bootstrap', 'system', file]] };
  }
  return {
    file: '/etc/systemd/system/catalog-agent.service',
    text: systemdUnit(options),
    encoding: 'utf8',
    commands: [
      ['systemctl', 'daemon-reload'],
      ['systemctl', 'enable', '--now', 'catalog-agent.service'],
    ],
  };
}

export function installService({ file, text, encoding, commands }: Definition): void {
  writeFileSync(file, text, { encoding, mode: 0o644 });
  for (const [command, ...args] of commands) execFileSync(command, args, { stdio: 'inherit' });
}
