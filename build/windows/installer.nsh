; The uninstaller asks before it takes what was kept with it; silently, it stays.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ; Installed for everyone, too, it keeps with each user what is theirs: here it is that of whoever removes it.
    SetShellVarContext current
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 \
      "Remove your assets and settings, too?$\r$\n$\r$\n$APPDATA\Vitrine$\r$\n$APPDATA\Vitrine-content$\r$\n$\r$\nThose of other users of this PC stay." \
      /SD IDNO IDNO keepIt
      RMDir /r "$APPDATA\Vitrine"
      RMDir /r "$APPDATA\Vitrine-content"
    keepIt:
    ${if} $installMode == "all"
      SetShellVarContext all
    ${endIf}
  ${endIf}
!macroend
