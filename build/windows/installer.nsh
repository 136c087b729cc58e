; The uninstaller asks before it takes what was kept with it; silently, it stays.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 \
      "Remove this player's assets and settings, too?" /SD IDNO IDNO keepIt
      RMDir /r "$APPDATA\Vitrine"
    keepIt:
  ${endIf}
!macroend
