#!/bin/sh
# Provisions a Debian or Ubuntu PC as a signage player: a dedicated user with automatic login, a bare desktop, and the player.
#
#   sudo sh provision.sh [--user NAME] [--restart-at HH:MM]
#   sudo sh provision.sh --undo
#
# Vitrine has to be installed first. The script is idempotent: it changes nothing that is already set up.
set -eu

user=signage
restart_at=04:00
is_undone=
while [ $# -gt 0 ]; do
  case $1 in
    --user) user=$2 && shift 2 ;;
    --restart-at) restart_at=$2 && shift 2 ;;
    --undo) is_undone=yes && shift ;;
    *) echo "Unknown option $1. Options: --user NAME, --restart-at HH:MM, --undo." >&2 && exit 2 ;;
  esac
done
case $user in
  '' | root | *[!a-z0-9_-]*) echo "\"$user\" is not a valid user name for the player." >&2 && exit 2 ;;
esac
case $restart_at in
  [0-2][0-9]:[0-5][0-9]) ;;
  *) echo "\"$restart_at\" is not a time of day such as 04:00." >&2 && exit 2 ;;
esac
[ "$(id -u)" = 0 ] || { echo "Run this as root: sudo sh $0" >&2 && exit 1; }

say() { printf '%s\n' "— $1"; }

login=/etc/lightdm/lightdm.conf.d/50-vitrine.conf
sleeps="sleep.target suspend.target hibernate.target hybrid-sleep.target"
start=.config/systemd/user/graphical-session.target.wants/vitrine.service

# Without the player, the user must not be logged in to an empty session that nobody can leave.
if [ -n "$is_undone" ]; then
  # The PC may have been provisioned for another user, who is named in the login configuration.
  found=$(sed -n 's/^autologin-user=//p' "$login" 2>/dev/null) || found=
  user=${found:-$user}
  home=$(getent passwd "$user" | cut -d: -f6)
  say "undo: automatic login, session and start of the player"
  rm -f "$login" /usr/share/xsessions/vitrine.desktop /etc/systemd/user/vitrine-session.target
  rm -rf /usr/local/lib/vitrine
  [ -z "$home" ] || rm -f "$home/$start"
  say "undo: sleep, text consoles, core files, updates and watchdog"
  systemctl unmask $sleeps >/dev/null
  rm -f /etc/X11/xorg.conf.d/50-vitrine.conf /etc/systemd/coredump.conf.d/50-vitrine.conf \
    /etc/apt/apt.conf.d/52-vitrine /etc/systemd/system.conf.d/50-vitrine.conf
  say "done. It takes effect at the next start. The user $user, its files and the packages are kept."
  exit 0
fi
command -v vitrine >/dev/null || { echo "Install Vitrine first: apt install ./vitrine-….deb" >&2 && exit 1; }

say "packages: display server, window manager, automatic login"
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -y install --no-install-recommends \
  xserver-xorg xinit openbox lightdm x11-xserver-utils dbus-user-session perl-base unattended-upgrades

say "user $user: few rights, no password"
id "$user" >/dev/null 2>&1 || useradd --create-home --shell /bin/sh "$user"
passwd --lock "$user" >/dev/null
for group in audio video render input; do
  getent group "$group" >/dev/null && usermod --append --groups "$group" "$user"
done
home=$(getent passwd "$user" | cut -d: -f6)

say "automatic login, also after the session has ended"
mkdir -p /etc/lightdm/lightdm.conf.d /usr/local/lib/vitrine
cat >/etc/lightdm/lightdm.conf.d/50-vitrine.conf <<CONF
[Seat:*]
autologin-user=$user
autologin-user-timeout=0
user-session=vitrine
session-cleanup-script=/usr/local/lib/vitrine/login-again
xserver-command=X -s 0 -dpms
CONF
cat >/usr/local/lib/vitrine/login-again <<'AGAIN'
#!/bin/sh
# The player's session has ended, as with its display server: lightdm logs in by itself only when it starts itself.
# The pause keeps below what systemd takes for too many starts.
sleep 3
[ "$(systemctl is-system-running)" != stopping ] || exit 0
# If lightdm is stopped by hand, it stays stopped.
[ "$(systemctl is-active lightdm.service)" = active ] || exit 0
exec systemctl --no-block restart lightdm.service
AGAIN
chmod 755 /usr/local/lib/vitrine/login-again
getent group autologin >/dev/null && usermod --append --groups autologin "$user"

say "session: a window manager without shortcuts and menus, and the player supervised by systemd"
mkdir -p /usr/share/xsessions
cat >/usr/share/xsessions/vitrine.desktop <<'SESSION'
[Desktop Entry]
Name=Vitrine
Comment=The signage player alone
Exec=/usr/local/lib/vitrine/session
Type=Application
SESSION
cat >/usr/local/lib/vitrine/session <<'SESSION'
#!/bin/sh
# The player's session: nothing blanks, no key of the window manager works, systemd watches.
xset s off s noblank -dpms
xsetroot -solid black
systemctl --user import-environment DISPLAY XAUTHORITY
# Resets the start limit of a player that crashed too often with an earlier display.
systemctl --user reset-failed vitrine.service 2>/dev/null
systemctl --user start vitrine-session.target
# A display that is switched on later is lit, beside the others; one that was off for a while has kept its place and is left
# alone. Where none is, the hardware is asked; else what the server knows is enough.
light_displays() {
  seen=
  while found=$(xrandr ${seen:+--current}); do
    connected=$(printf '%s\n' "$found" | sed -n 's/ connected.*//p')
    [ "$connected" = "$seen" ] || light_dark "$found"
    seen=$connected
    sleep 2
  done
}
light_dark() {
  for dark in $(printf '%s\n' "$1" | sed -nE '/ connected (primary )?[0-9]+x/d; s/ connected.*//p'); do
    beside=$(rightmost)
    xrandr --output "$dark" --auto ${beside:+--right-of "$beside"} && continue
    # What went may still have what this one needs: a graphics card drives only so many.
    for gone in $(xrandr --current | sed -nE 's/ disconnected (primary )?[0-9]+x.*//p'); do
      xrandr --output "$gone" --off
    done
    beside=$(rightmost)
    xrandr --output "$dark" --auto ${beside:+--right-of "$beside"}
  done
}
# Each lit one as its right edge and its name.
rightmost() {
  xrandr --current |
    sed -nE 's/^([^ ]+) (dis)?connected (primary )?([0-9]+)x[0-9]+\+([0-9]+)\+.*/\4 \5 \1/p' |
    while read -r width left name; do echo "$((width + left)) $name"; done |
    sort -n | sed -n '$s/.* //p'
}
light_displays &
while xset q >/dev/null 2>&1; do
  openbox --config-file /usr/local/lib/vitrine/openbox.xml
  sleep 1
done
SESSION
chmod 755 /usr/local/lib/vitrine/session
cat >/usr/local/lib/vitrine/openbox.xml <<'OPENBOX'
<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <keyboard></keyboard>
  <!-- For the desk behind the PIN. The screen hides the pointer itself, and has no frame and nothing to close. -->
  <mouse>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus" /><action name="Raise" /></mousebind>
    </context>
    <context name="Titlebar">
      <mousebind button="Left" action="Press"><action name="Focus" /><action name="Raise" /></mousebind>
    </context>
    <context name="Close">
      <mousebind button="Left" action="Click"><action name="Close" /></mousebind>
    </context>
  </mouse>
  <desktops><number>1</number></desktops>
</openbox_config>
OPENBOX
mkdir -p /etc/systemd/user
cat >/etc/systemd/user/vitrine-session.target <<'TARGET'
# The graphical session that the player belongs to; it ends with the display.
[Unit]
Description=The session of the signage player
BindsTo=graphical-session.target
Wants=graphical-session-pre.target
After=graphical-session-pre.target
TARGET
# The same as if the user had run: systemctl --user enable vitrine
mkdir -p "$(dirname "$home/$start")"
ln -sf /usr/lib/systemd/user/vitrine.service "$home/$start"
chown -R "$user:" "$home/.config"

say "no sleep, no screen blanking"
systemctl mask $sleeps >/dev/null

say "no text console shortcuts, no core files"
mkdir -p /etc/X11/xorg.conf.d /etc/systemd/coredump.conf.d
cat >/etc/X11/xorg.conf.d/50-vitrine.conf <<'XORG'
Section "ServerFlags"
  Option "DontVTSwitch" "true"
  Option "DontZap" "true"
  Option "BlankTime" "0"
  Option "StandbyTime" "0"
  Option "SuspendTime" "0"
  Option "OffTime" "0"
EndSection
XORG
printf '[Coredump]\nStorage=none\n' >/etc/systemd/coredump.conf.d/50-vitrine.conf

say "updates: automatic security updates, restart at $restart_at only"
cat >/etc/apt/apt.conf.d/52-vitrine <<APT
Unattended-Upgrade::Automatic-Reboot "true";
Unattended-Upgrade::Automatic-Reboot-Time "$restart_at";
APT

say "hardware watchdog, if there is one: restarts a PC that hangs"
mkdir -p /etc/systemd/system.conf.d
printf '[Manager]\nRuntimeWatchdogSec=30\n' >/etc/systemd/system.conf.d/50-vitrine.conf

say "done. Set an exit PIN, restart, and run the system check:"
cat <<NEXT
  sudo -u $user vitrine --set-exit-pin      # type four to twelve digits, then Ctrl+D
  sudo reboot
  sudo -u $user env DISPLAY=:0 XAUTHORITY=$home/.Xauthority vitrine --site-check --try-kill
NEXT
