# Starts, stops, shows or removes the agent of the catalog at @URL@ on this machine.
param([Parameter(Mandatory = $true)][ValidateSet('start', 'stop', 'status', 'doctor', 'uninstall')][string]$Action)
$ErrorActionPreference = 'Stop'
$task = 'Catalog Agent'
$program = Join-Path (Join-Path $env:ProgramFiles 'Catalog Agent') 'catalog-agent.exe'
$data = Join-Path $env:ProgramData 'Catalog Agent'
switch ($Action) {
  'start' { Start-ScheduledTask -TaskName $task }
  'stop' { Stop-ScheduledTask -TaskName $task }
  'status' {
    Get-ScheduledTask -TaskName $task | Select-Object TaskName, State
    & $program status --data-dir $data
  }
  'doctor' { & $program doctor --data-dir $data }
  'uninstall' {
    Stop-ScheduledTask -TaskName $task -ErrorAction SilentlyContinue
    Unregister-ScheduledTask -TaskName $task -Confirm:$false
    Remove-Item -Force $program
    Write-Output "Removed. Key and index are kept in $data."
  }
}
