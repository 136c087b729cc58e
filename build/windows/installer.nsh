; What the installer does besides electron-builder's own: it ends the supervisor before and starts it again after, opens the
; firewall for the program, and leaves nothing behind that nobody uses.

!include "WordFunc.nsh"
!include "getProcessInfo.nsh"
Var pid

; The supervisor first: it would start the player again under the installer's hands. The task goes on where there is one.
!macro endPlayer
  nsExec::Exec `"$SYSDIR\schtasks.exe" /end /tn Vitrine`
  Pop $0
  ; Twice: a player that looked for a new supervisor at that moment has started one.
  nsExec::Exec `"$SYSDIR\taskkill.exe" /f /im "${APP_EXECUTABLE_FILENAME}"`
  Pop $0
  Sleep 1000
  nsExec::Exec `"$SYSDIR\taskkill.exe" /f /im "${APP_EXECUTABLE_FILENAME}"`
  Pop $0
!macroend

; An updater's copy of the whole installer; there is no updater.
!macro removeUpdatersCopy
  SetShellVarContext current
  RMDir /r "$LOCALAPPDATA\vitrine-updater"
  ${if} $installMode == "all"
    SetShellVarContext all
  ${endIf}
!macroend

!macro customInit
  ; Elevated, it installs for all users, and looks for no running app any more.
  ${if} ${UAC_IsInnerInstance}
    !insertmacro endPlayer
  ${else}
    !insertmacro askBeforeOlder
  ${endIf}
!macroend

; An older program does not open what a newer one wrote. Silently, it takes /older to go back.
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

; In the place of electron-builder's own look, which comes after it here.
!macro customCheckAppRunning
  !ifndef BUILD_UNINSTALLER
    ; Two installations side by side would share one folder of data and one entry at login.
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
  ; Without a rule, Windows asks on the screen when the player or its content service first listens to the network. Only an
  ; administrator can add one.
  ${if} $installMode == "all"
    nsExec::Exec `"$SYSDIR\netsh.exe" advfirewall firewall delete rule name="Vitrine" program="$INSTDIR\${APP_EXECUTABLE_FILENAME}"`
    Pop $0
    nsExec::Exec `"$SYSDIR\netsh.exe" advfirewall firewall add rule name="Vitrine" dir=in action=allow program="$INSTDIR\${APP_EXECUTABLE_FILENAME}" profile=private,domain enable=yes`
    Pop $0
  ${endIf}
  ; Where windows.ps1 made it.
  nsExec::Exec `"$SYSDIR\schtasks.exe" /run /tn Vitrine`
  Pop $0
!macroend

; The uninstaller asks before it takes what was kept with it; silently, it stays.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    !insertmacro removeUpdatersCopy
    ${if} $installMode == "all"
      nsExec::Exec `"$SYSDIR\netsh.exe" advfirewall firewall delete rule name="Vitrine" program="$INSTDIR\${APP_EXECUTABLE_FILENAME}"`
      Pop $0
    ${endIf}
    ; Installed for everyone, too, it keeps with each user what is theirs: here it is that of whoever removes it.
    SetShellVarContext current
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 \
      "Remove your assets and settings, too?$\r$\n$\r$\n$LOCALAPPDATA\Vitrine$\r$\n$LOCALAPPDATA\Vitrine-content$\r$\n$\r$\nThose of other users of this PC stay." \
      /SD IDNO IDNO keepIt
      RMDir /r "$LOCALAPPDATA\Vitrine"
      RMDir /r "$LOCALAPPDATA\Vitrine-content"
      ; Where an earlier version kept them.
      RMDir /r "$APPDATA\Vitrine"
      RMDir /r "$APPDATA\Vitrine-content"
    keepIt:
    ${if} $installMode == "all"
      SetShellVarContext all
    ${endIf}
  ${endIf}
!macroend
