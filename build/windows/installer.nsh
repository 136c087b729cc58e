; Additions to electron-builder's installer: stops the supervisor before and restarts it after the installation, opens the
; firewall for the program, and removes files that nothing uses.

!include "WordFunc.nsh"
!include "getProcessInfo.nsh"
Var pid

; The supervisor first: it would restart the player during the installation. Continues when there is no task.
!macro endPlayer
  nsExec::Exec `"$SYSDIR\schtasks.exe" /end /tn Vitrine`
  Pop $0
  ; Twice: a player that was looking for a new supervisor at that moment has started one.
  nsExec::Exec `"$SYSDIR\taskkill.exe" /f /im "${APP_EXECUTABLE_FILENAME}"`
  Pop $0
  Sleep 1000
  nsExec::Exec `"$SYSDIR\taskkill.exe" /f /im "${APP_EXECUTABLE_FILENAME}"`
  Pop $0
!macroend

; The copy of the whole installer kept for an updater; there is no updater.
!macro removeUpdatersCopy
  SetShellVarContext current
  RMDir /r "$LOCALAPPDATA\vitrine-updater"
  ${if} $installMode == "all"
    SetShellVarContext all
  ${endIf}
!macroend

!macro customInit
  ; The elevated instance installs for all users, and no longer checks for a running app.
  ${if} ${UAC_IsInnerInstance}
    !insertmacro endPlayer
  ${else}
    !insertmacro askBeforeOlder
  ${endIf}
!macroend

; An older version cannot open the data of a newer one. A silent downgrade requires /older.
!macro askBeforeOlder
  ReadRegStr $0 HKLM "${UNINSTALL_REGISTRY_KEY}" "DisplayVersion"
  ${if} $0 == ""
    ReadRegStr $0 HKCU "${UNINSTALL_REGISTRY_KEY}" "DisplayVersion"
  ${endIf}
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/older" $R1
  ${if} ${Errors}
  ${andIf} $0 != ""
    ${VersionCompare} "$0" "${VERSION}" $1
    ${if} $1 == 1
      MessageBox MB_YESNO|MB_ICONEXCLAMATION|MB_DEFBUTTON2 \
        "Vitrine $0 is installed, which is newer than ${VERSION}.$\r$\n$\r$\nAn older version can't open the data of a newer one: it shows only the last schedule until you install the newer version again or restore a backup.$\r$\n$\r$\nInstall the older version?" \
        /SD IDNO IDYES goBack
        SetErrorLevel 3
        Quit
      goBack:
    ${endIf}
  ${endIf}
!macroend

; Replaces electron-builder's check for a running app, and then runs it.
!macro customCheckAppRunning
  !ifndef BUILD_UNINSTALLER
    ; Two installations in parallel would share one data folder and one autostart entry.
    ReadRegStr $0 HKLM "${INSTALL_REGISTRY_KEY}" InstallLocation
    ${if} $0 != ""
    ${andIf} $installMode == "CurrentUser"
      MessageBox MB_OK|MB_ICONSTOP \
        "Vitrine is already installed for all users of this PC, in $0.$\r$\n$\r$\nInstall it for all users again to upgrade it, or remove it first." \
        /SD IDOK
      SetErrorLevel 4
      Quit
    ${endIf}
  !endif
  !insertmacro endPlayer
  !insertmacro IS_POWERSHELL_AVAILABLE
  !insertmacro _CHECK_APP_RUNNING
!macroend

!macro customInstall
  !insertmacro removeUpdatersCopy
  ; Without a rule, Windows shows a prompt on the screen when the player or its content service first listens on the network.
  ; Only an administrator can add one.
  ${if} $installMode == "all"
    nsExec::Exec `"$SYSDIR\netsh.exe" advfirewall firewall delete rule name="Vitrine" program="$INSTDIR\${APP_EXECUTABLE_FILENAME}"`
    Pop $0
    nsExec::Exec `"$SYSDIR\netsh.exe" advfirewall firewall add rule name="Vitrine" dir=in action=allow program="$INSTDIR\${APP_EXECUTABLE_FILENAME}" profile=private,domain enable=yes`
    Pop $0
  ${endIf}
  ; Exists where windows.ps1 created it.
  nsExec::Exec `"$SYSDIR\schtasks.exe" /run /tn Vitrine`
  Pop $0
!macroend

; The uninstaller asks before it deletes user data; a silent one keeps it, unless --delete-app-data is given.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    !insertmacro removeUpdatersCopy
    ${if} $installMode == "all"
      nsExec::Exec `"$SYSDIR\netsh.exe" advfirewall firewall delete rule name="Vitrine" program="$INSTDIR\${APP_EXECUTABLE_FILENAME}"`
      Pop $0
    ${endIf}
    ; Even when installed for all users, each user has their own data: this is the data of the user who uninstalls.
    SetShellVarContext current
    ; electron-builder's own flag answers the question with yes.
    ${GetParameters} $R0
    ClearErrors
    ${GetOptions} $R0 "--delete-app-data" $R1
    ${if} ${Errors}
      MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 \
        "Remove your assets and settings, too?$\r$\n$\r$\n$LOCALAPPDATA\Vitrine$\r$\n$LOCALAPPDATA\Vitrine-content$\r$\n$\r$\nThose of other users of this PC stay." \
        /SD IDNO IDNO keepIt
    ${endIf}
    RMDir /r "$LOCALAPPDATA\Vitrine"
    RMDir /r "$LOCALAPPDATA\Vitrine-content"
    ; The location in an earlier version.
    RMDir /r "$APPDATA\Vitrine"
    RMDir /r "$APPDATA\Vitrine-content"
    keepIt:
    ${if} $installMode == "all"
      SetShellVarContext all
    ${endIf}
  ${endIf}
!macroend
