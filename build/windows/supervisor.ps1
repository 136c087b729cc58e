# Keeps Vitrine on the glass: starts it, ends it when it hangs, and starts it again. Not tried on Windows yet.
#
#   powershell -NoProfile -WindowStyle Hidden -File supervisor.ps1 [-Program PATH] [-Flags "--profile unattended"]
#
# The limits are those of the supervisor for Linux. A scheduled task that starts this again when it was ended is its own watcher.
param(
  [string]$Program = (Join-Path $PSScriptRoot '..\Vitrine.exe'),
  [string]$Flags = '--profile unattended',
  [int]$HangSeconds = 5,
  [int]$StartSeconds = 60
)
$ErrorActionPreference = 'Stop'
$mostStarts = 30
$window = New-TimeSpan -Minutes 10
$beats = Join-Path ([IO.Path]::GetTempPath()) "vitrine-heartbeat-$PID"
$env:VITRINE_HEARTBEAT = $beats
$starts = @()

function Read-Beat {
  try { [IO.File]::ReadAllText($beats) } catch { '' }
}

while ($true) {
  $now = Get-Date
  $starts = @($starts | Where-Object { $now - $_ -lt $window }) + $now
  if ($starts.Count -gt $mostStarts) { Start-Sleep -Seconds 60 }
  [IO.File]::WriteAllText($beats, '')
  $player = Start-Process -FilePath $Program -ArgumentList $Flags -PassThru
  $last = ''
  $silent = 0
  $patience = $StartSeconds
  while (-not $player.HasExited) {
    Start-Sleep -Seconds 1
    $beat = Read-Beat
    if ($beat -ne $last) {
      $last = $beat
      $silent = 0
      $patience = $HangSeconds
    }
    else { $silent++ }
    if ($silent -ge $patience) {
      Stop-Process -Id $player.Id -Force -ErrorAction SilentlyContinue
      $silent = 0
    }
  }
  # Ended on purpose, or started with flags that will never be right.
  if ($player.ExitCode -eq 0 -or $player.ExitCode -eq 2) { break }
  Start-Sleep -Milliseconds 500
}
Remove-Item $beats -ErrorAction SilentlyContinue
