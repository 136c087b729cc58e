# Provisions a Windows PC as a signage player, and undoes it. Not tried on Windows yet; written from Microsoft's documentation.
#
#   powershell -ExecutionPolicy Bypass -File windows.ps1 [-User NAME] [-ActiveFrom 6] [-ActiveTo 23] [-Shell] [-Undo]
#
# The settings in the registry, the power plan and the tasks are made by the player itself (--windows-setup), which records
# the previous ones in C:\ProgramData\Vitrine\setup.json. This script contains only what requires PowerShell: the user, and
# Shell Launcher. It is idempotent: it changes nothing that is already set up.
param(
  [string]$User = 'signage',
  [ValidateRange(0, 23)][int]$ActiveFrom = 6,
  [ValidateRange(0, 23)][int]$ActiveTo = 23,
  [switch]$Shell,
  [switch]$Undo
)
#Requires -RunAsAdministrator
$ErrorActionPreference = 'Stop'
# The script is in the resources folder of the installation, wherever that is.
$folder = Split-Path $PSScriptRoot
$program = Join-Path $folder 'Vitrine.exe'
$console = Join-Path $folder 'vitrine-console.cmd'
$shellRecord = Join-Path $env:ProgramData 'Vitrine\shell.json'
$shellCommand = "`"$program`" --supervise --profile unattended"
$namespace = 'root\standardcimv2\embedded'
$launcherClass = "\\localhost\${namespace}:WESL_UserSetting"
if (-not (Test-Path $console)) { throw 'Run this script from the resources folder of an installed Vitrine.' }

# Passes an order to the player, and shows its output.
function Invoke-Setup([hashtable]$order) {
  $file = [IO.Path]::GetTempFileName()
  try {
    [IO.File]::WriteAllText($file, ($order | ConvertTo-Json))
    & $console --windows-setup $file
    if ($LASTEXITCODE -ne 0) { throw "Setup failed with exit code $LASTEXITCODE." }
  }
  finally { Remove-Item $file }
}

# Current state of Shell Launcher: whether it is enabled, the default shell, and the shell of the player's user.
function Get-ShellState([string]$sid) {
  $settings = @(Get-CimInstance -Namespace $namespace -ClassName WESL_UserSetting)
  $launcher = [wmiclass]$launcherClass
  # Throws when no default shell was ever set.
  $everybody = try { $launcher.GetDefaultShell().Shell } catch { $null }
  @{
    sid = $sid
    enabled = [bool]$launcher.IsEnabled().Enabled
    everybody = $everybody
    own = ($settings | Where-Object { $_.Sid -eq $sid } | Select-Object -First 1).Shell
  }
}

if ($Undo) {
  if (Test-Path $shellRecord) {
    $before = Get-Content -Raw $shellRecord | ConvertFrom-Json
    $launcher = [wmiclass]$launcherClass
    $launcher.RemoveCustomShell($before.sid) | Out-Null
    if ($before.own) { $launcher.SetCustomShell($before.sid, $before.own, $null, $null, 0) | Out-Null }
    if ($before.everybody) { $launcher.SetDefaultShell($before.everybody, 0) | Out-Null }
    $launcher.SetEnabled([bool]$before.enabled) | Out-Null
    Remove-Item $shellRecord
    Write-Host '- restored the previous state of Shell Launcher'
  }
  Invoke-Setup @{ action = 'undo' }
  Write-Host "Undone. The user $User, its files and the automatic sign-in stay until you remove them."
  return
}

if (-not (Get-LocalUser -Name $User -ErrorAction SilentlyContinue)) {
  $password = Read-Host "A password for $User" -AsSecureString
  New-LocalUser -Name $User -Password $password -PasswordNeverExpires -UserMayNotChangePassword | Out-Null
  Add-LocalGroupMember -SID 'S-1-5-32-545' -Member $User
  Write-Host "- user $User"
}
$sid = (Get-LocalUser -Name $User).SID.Value

# Before Shell Launcher: it refuses a program that the player's user cannot open.
Invoke-Setup @{
  action = 'apply'; sid = $sid; activeFrom = $ActiveFrom; activeTo = $ActiveTo; isShell = [bool]$Shell; program = $program
}

if ($Shell) {
  Enable-WindowsOptionalFeature -Online -FeatureName Client-EmbeddedShellLauncher -All -NoRestart | Out-Null
  if (-not (Test-Path $shellRecord)) {
    [IO.Directory]::CreateDirectory((Split-Path $shellRecord)) | Out-Null
    [IO.File]::WriteAllText($shellRecord, (Get-ShellState $sid | ConvertTo-Json))
  }
  $launcher = [wmiclass]$launcherClass
  if ((Get-ShellState $sid).own -ne $shellCommand) {
    $launcher.RemoveCustomShell($sid) | Out-Null
    # No exit code ends the session: the supervisor is restarted.
    $launcher.SetCustomShell($sid, $shellCommand, $null, $null, 0) | Out-Null
    $launcher.SetDefaultShell('explorer.exe', 0) | Out-Null
    $launcher.SetEnabled($true) | Out-Null
    Write-Host '- the supervisor instead of the desktop (Shell Launcher)'
  }
}
Write-Host "- automatic sign-in: run Autologon (https://learn.microsoft.com/sysinternals/downloads/autologon) once for $User; it stores the password encrypted."
Write-Host "Done. Restart, then: & `"$console`" --site-check"
