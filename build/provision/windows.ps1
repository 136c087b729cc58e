# Makes a Windows PC a signage player. Not tried on Windows yet; written from Microsoft's documentation.
#
#   powershell -ExecutionPolicy Bypass -File windows.ps1 [-User NAME] [-ActiveFrom 6] [-ActiveTo 23] [-Shell] [-Undo]
param(
  [string]$User = 'signage',
  [ValidateRange(0, 23)][int]$ActiveFrom = 6,
  [ValidateRange(0, 23)][int]$ActiveTo = 23,
  [switch]$Shell,
  [switch]$Undo
)
#Requires -RunAsAdministrator
$ErrorActionPreference = 'Stop'
$program = Join-Path $env:ProgramFiles 'Vitrine\Vitrine.exe'
$supervisor = Join-Path $env:ProgramFiles 'Vitrine\resources\supervisor.ps1'
$command = "-NoProfile -WindowStyle Hidden -ExecutionPolicy Bypass -File `"$supervisor`""
$launcherClass = '\\localhost\root\standardcimv2\embedded:WESL_UserSetting'
$policies = @(
  @('HKLM:\SOFTWARE\Policies\Microsoft\Windows\WindowsUpdate', 'SetActiveHours', 1),
  @('HKLM:\SOFTWARE\Policies\Microsoft\Windows\WindowsUpdate', 'ActiveHoursStart', $ActiveFrom),
  @('HKLM:\SOFTWARE\Policies\Microsoft\Windows\WindowsUpdate', 'ActiveHoursEnd', $ActiveTo),
  @('HKLM:\SOFTWARE\Policies\Microsoft\Windows\WindowsUpdate\AU', 'NoAutoRebootWithLoggedOnUsers', 1),
  @('HKLM:\SOFTWARE\Policies\Microsoft\Windows\EdgeUI', 'AllowEdgeSwipe', 0),
  @('HKLM:\SOFTWARE\Policies\Microsoft\Windows\CloudContent', 'DisableWindowsConsumerFeatures', 1),
  @('HKLM:\SOFTWARE\Policies\Microsoft\Windows\CloudContent', 'DisableSoftLanding', 1),
  @('HKLM:\SOFTWARE\Policies\Microsoft\Windows\Explorer', 'DisableNotificationCenter', 1),
  @('HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Policies\Explorer', 'NoWinKeys', 1),
  @('HKLM:\SOFTWARE\Microsoft\Windows\Windows Error Reporting', 'DontShowUI', 1),
  @('HKLM:\SYSTEM\CurrentControlSet\Control\Session Manager\Power', 'HiberbootEnabled', 0)
)

if ($Undo) {
  foreach ($policy in $policies) { Remove-ItemProperty -Path $policy[0] -Name $policy[1] -ErrorAction SilentlyContinue }
  Unregister-ScheduledTask -TaskName 'Vitrine' -Confirm:$false -ErrorAction SilentlyContinue
  # Without -Shell there is none of ours; most editions do not even have the class.
  $ours = Get-CimInstance -Namespace 'root\standardcimv2\embedded' -ClassName WESL_UserSetting -ErrorAction SilentlyContinue |
    Where-Object { $_.Shell -like "*$supervisor*" }
  foreach ($setting in $ours) {
    $launcher = [wmiclass]$launcherClass
    $launcher.RemoveCustomShell($setting.Sid) | Out-Null
    $launcher.SetEnabled($false) | Out-Null
  }
  Write-Host "Undone. The user $User and the power plan were left as they are."
  return
}
if (-not (Test-Path $program)) { throw 'Install Vitrine for the whole machine first.' }

Write-Host "- user $User"
if (-not (Get-LocalUser -Name $User -ErrorAction SilentlyContinue)) {
  $password = Read-Host "A password for $User" -AsSecureString
  New-LocalUser -Name $User -Password $password -PasswordNeverExpires -UserMayNotChangePassword | Out-Null
  Add-LocalGroupMember -SID 'S-1-5-32-545' -Member $User
}

Write-Host '- power: nothing sleeps or blanks while plugged in'
foreach ($timeout in 'monitor-timeout-ac', 'standby-timeout-ac', 'hibernate-timeout-ac', 'disk-timeout-ac') {
  powercfg /change $timeout 0
}
powercfg /hibernate off

Write-Host '- policies: update hours, no notifications, no gestures, no error boxes'
foreach ($policy in $policies) {
  # With -Force, a key that is there already would lose all it holds.
  if (-not (Test-Path $policy[0])) { New-Item -Path $policy[0] -Force | Out-Null }
  New-ItemProperty -Path $policy[0] -Name $policy[1] -Value $policy[2] -PropertyType DWord -Force | Out-Null
}

if ($Shell) {
  Write-Host '- shell: the supervisor in the place of the desktop (Shell Launcher)'
  Enable-WindowsOptionalFeature -Online -FeatureName Client-EmbeddedShellLauncher -All -NoRestart | Out-Null
  $launcher = [wmiclass]$launcherClass
  $sid = (Get-LocalUser -Name $User).SID.Value
  # Of the exit codes, none ends the session: the supervisor is started again.
  $launcher.SetCustomShell($sid, "powershell.exe $command", $null, $null, 0) | Out-Null
  $launcher.SetDefaultShell('explorer.exe', 0) | Out-Null
  $launcher.SetEnabled($true) | Out-Null
}
else {
  Write-Host '- task: the supervisor at logon, started again when it ends by mistake'
  $action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument $command
  $trigger = New-ScheduledTaskTrigger -AtLogOn -User $User
  $principal = New-ScheduledTaskPrincipal -UserId $User -LogonType Interactive -RunLevel Limited
  $settings = New-ScheduledTaskSettingsSet -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries `
    -ExecutionTimeLimit ([TimeSpan]::Zero) -RestartCount 999 -RestartInterval (New-TimeSpan -Minutes 1) -MultipleInstances IgnoreNew
  Register-ScheduledTask -TaskName 'Vitrine' -Action $action -Trigger $trigger -Principal $principal -Settings $settings -Force | Out-Null
}

Write-Host "- login by itself: run Autologon from https://learn.microsoft.com/sysinternals once for $User; it seals the password."
Write-Host 'Done. Restart, then: Vitrine.exe --site-check'
