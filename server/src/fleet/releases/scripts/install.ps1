# Installs the agent of the catalog at @URL@.
#   -Token    enrolment token          -Root   folders to report
#   -Name     name of this machine     -DownloadOnly   download and verify only
#   -Sums     SHA-256 of the file SHA256SUMS, checksums_sha256 of GET @URL@/api/v1/agent-dist
param(
  [string]$Token,
  [string[]]$Root,
  [string]$Name,
  [string]$Sums,
  [switch]$DownloadOnly
)
$ErrorActionPreference = 'Stop'
$url = '@URL@'
$arch = if ($env:PROCESSOR_ARCHITECTURE -eq 'ARM64') { 'arm64' } else { 'x64' }
$program = "catalog-agent-windows-$arch.exe"
if (-not $DownloadOnly -and (-not $Token -or -not $Root)) { throw 'Give -Token and at least one -Root.' }

$work = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
New-Item -ItemType Directory -Path $work | Out-Null
try {
  foreach ($file in 'SHA256SUMS', $program) {
    Invoke-WebRequest -UseBasicParsing -Uri "$url/api/v1/agent-dist/$file" -OutFile (Join-Path $work $file)
  }
  $list = Join-Path $work 'SHA256SUMS'
  # Windows has no Ed25519, so the list itself is pinned by its digest when one was given.
  if ($Sums -and (Get-FileHash -Algorithm SHA256 $list).Hash -ne $Sums.ToUpper()) {
    throw 'The list of checksums is not the expected one. Nothing was installed.'
  }
  $line = Get-Content $list | Where-Object { $_.EndsWith("  $program") }
  if (-not $line) { throw "There is no checksum for $program. Nothing was installed." }
  $actual = (Get-FileHash -Algorithm SHA256 (Join-Path $work $program)).Hash
  if ($actual -ne $line.Substring(0, 64).ToUpper()) { throw 'The downloaded program does not have its checksum. Nothing was installed.' }
  if ($DownloadOnly) {
    Copy-Item (Join-Path $work $program) (Join-Path (Get-Location) $program)
    Write-Output "Verified: $program"
    return
  }
  $folder = Join-Path $env:ProgramFiles 'Catalog Agent'
  $data = Join-Path $env:ProgramData 'Catalog Agent'
  New-Item -ItemType Directory -Force -Path $folder | Out-Null
  $target = Join-Path $folder 'catalog-agent.exe'
  Copy-Item -Force (Join-Path $work $program) $target
  $arguments = @('enrol', '--url', $url, '--token', $Token, '--data-dir', $data)
  if ($Name) { $arguments += @('--name', $Name) }
  foreach ($each in $Root) { $arguments += @('--root', $each) }
  & $target @arguments
  if ($LASTEXITCODE -ne 0) { throw 'The machine was not enrolled.' }
  & $target install-service --data-dir $data
  if ($LASTEXITCODE -ne 0) { throw 'The service was not installed.' }
} finally {
  Remove-Item -Recurse -Force $work
}
