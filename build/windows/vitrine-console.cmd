@echo off
rem Runs the player's commands with text output from a console: --site-check, --help, --version, --set-exit-pin, --set-password.
rem
rem   "C:\Program Files\Vitrine\vitrine-console.cmd" --site-check [--json]
rem
rem Vitrine.exe is a windowed program: from a console it returns before it has finished, without an exit code. A script
rem like this one waits for it; its output goes through a file, which needs no console, and is printed as UTF-8.
setlocal
set "answer=%TEMP%\vitrine-answer-%RANDOM%-%RANDOM%.txt"
"%~dp0Vitrine.exe" %* >"%answer%" 2>&1
set "code=%ERRORLEVEL%"
for /f "tokens=2 delims=:." %%p in ('chcp') do set "page=%%p"
chcp 65001 >nul
type "%answer%"
chcp %page% >nul
del "%answer%" >nul 2>&1
exit /b %code%
