#!/bin/sh
# Makes a Debian or Ubuntu PC a signage player: a user of its own, logged in by itself, a bare desktop, and the player in it.
#
#   sudo sh provision.sh [--user NAME] [--restart-at HH:MM]
#
# Vitrine itself is installed before. It can be run again; it changes nothing that is as it should be.
set -eu

user=signage
restart_at=04:00
while [ $# -gt 0 ]; do
  case $1 in
    --user) user=$2 && shift 2 ;;
    --restart-at) restart_at=$2 && shift 2 ;;
    *) echo "There is no flag $1. There are: --user NAME, --restart-at HH:MM." >&2 && exit 2 ;;
  esac
done
case $user in
  '' | root | *[!a-z0-9_-]*) echo "\"$user\" is no name for the player's user." >&2 && exit 2 ;;
esac
case $restart_at in
  [0-2][0-9]:[0-5][0-9]) ;;
  *) echo "\"$restart_at\" is no time of day as in 04:00." >&2 && exit 2 ;;
esac
[ "$(id -u)" = 0 ] || { echo "This is for root: sudo sh $0" >&2 && exit 1; }
command -v vitrine >/dev/null || { echo "Install Vitrine first: apt install ./vitrine-….deb" >&2 && exit 1; }

say() { printf '%s\n' "— $1"; }

say "packages: a display server, a window manager, a login that needs nobody"
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -y install --no-install-recommends \
  xserver-xorg xinit openbox lightdm x11-xserver-utils dbus-user-session perl-base unattended-upgrades

say "user $user: low rights, no password, no shell games"
id "$user" >/dev/null 2>&1 || useradd --create-home --shell /bin/sh "$user"
passwd --lock "$user" >/dev/null
for group in audio video render input; do
  getent group "$group" >/dev/null && usermod --append --groups "$group" "$user"
done
home=$(getent passwd "$user" | cut -d: -f6)

say "login by itself"
mkdir -p /etc/lightdm/lightdm.conf.d
cat >/etc/lightdm/lightdm.conf.d/50-vitrine.conf <<CONF
[Seat:*]
autologin-user=$user
autologin-user-timeout=0
user-session=vitrine
xserver-command=X -s 0 -dpms -nocursor
CONF
getent group autologin >/dev/null && usermod --append --groups autologin "$user"

say "session: a window manager without keys, and the player under systemd's eyes"
mkdir -p /usr/share/xsessions /usr/local/lib/vitrine
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
systemctl --user start vitrine-session.target
exec openbox --config-file /usr/local/lib/vitrine/openbox.xml
SESSION
chmod 755 /usr/local/lib/vitrine/session
cat >/usr/local/lib/vitrine/openbox.xml <<'OPENBOX'
<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <keyboard></keyboard>
  <mouse></mouse>
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
# As if the user had called: systemctl --user enable vitrine
wants="$home/.config/systemd/user/graphical-session.target.wants"
mkdir -p "$wants"
ln -sf /usr/lib/systemd/user/vitrine.service "$wants/vitrine.service"
chown -R "$user:" "$home/.config"

say "no sleep, no blanking"
systemctl mask sleep.target suspend.target hibernate.target hybrid-sleep.target >/dev/null

say "no other text consoles by key, no core files that fill the disk"
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

say "updates: security by themselves, a restart at $restart_at and never before"
cat >/etc/apt/apt.conf.d/52-vitrine <<APT
Unattended-Upgrade::Automatic-Reboot "true";
Unattended-Upgrade::Automatic-Reboot-Time "$restart_at";
APT

say "hardware watchdog, where there is one: a machine that hangs as a whole starts again"
mkdir -p /etc/systemd/system.conf.d
printf '[Manager]\nRuntimeWatchdogSec=30\n' >/etc/systemd/system.conf.d/50-vitrine.conf

say "done. Set a PIN, restart, and look at the place:"
cat <<NEXT
  sudo -u $user vitrine --set-exit-pin      # type four to twelve digits, then Ctrl+D
  sudo reboot
  sudo -u $user env DISPLAY=:0 XAUTHORITY=$home/.Xauthority vitrine --site-check --try-kill
NEXT
