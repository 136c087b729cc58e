// The Debian package of the content service in a fresh Debian: installed with apt, run as its user, installed again, purged.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../..", import.meta.url));

/** It makes a Debian of its own, only on request: npm run long. */
const mayMakeDebian =
  process.env.VITRINE_LONG === "1" &&
  process.getuid?.() === 0 &&
  existsSync("/usr/sbin/debootstrap");

/** What an administrator types, one after the other; any failure ends it. */
const session = `
set -eu
export DEBIAN_FRONTEND=noninteractive
mount -t proc proc /proc
apt-get -q -y update >/dev/null
apt-get -q -y install /root/service.deb >/dev/null 2>&1
stat -c 'settings %a %U:%G' /etc/vitrine-content/service.env
stat -c 'data %a %U:%G' /var/lib/vitrine-content
printf ' VITRINE_CONTENT_MAX_FILE_MB = "12" \\r\\n' >> /etc/vitrine-content/service.env
vitrine-contentctl keys add Anna > /root/key
echo "key $(wc -c < /root/key)"
vitrine-contentctl --port 0 --no-discovery > /root/service.log &
tries=0
until grep -q 'is ready' /root/service.log; do
  tries=$((tries + 1))
  [ $tries -lt 300 ]
  sleep 0.2
done
grep -c 'API key' /root/service.log || true
address=$(grep -o 'http://[^ ]*' /root/service.log)
/usr/lib/vitrine-content/node -e "fetch('$address/health').then(async (answer) => console.log('health', answer.status))"
cat > /root/text.svg <<'SVG'
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><text x="10" y="60" font-size="40">Open</text></svg>
SVG
/usr/lib/vitrine-content/node -e '
  const [address, key] = process.argv.slice(1);
  const headers = { Authorization: "Token " + key };
  const body = new FormData();
  body.set("title", "Open");
  body.set("file", new Blob([require("fs").readFileSync("/root/text.svg")]), "text.svg");
  const read = async () => (await (await fetch(address + "/v4/assets", { headers })).json())[0];
  (async () => {
    await fetch(address + "/v4/assets", { method: "POST", headers, body });
    let status = "none";
    for (let tries = 0; tries < 300 && ["none", "downloading", "processing"].includes(status); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      ({ status } = await read());
    }
    console.log("text", status);
  })();
' "$address" "$(cat /root/key)"
vitrine-contentctl stop
install -d -o vitrine-content /srv/backups
vitrine-contentctl backup /srv/backups/today.tar.gz >/dev/null
mv /var/lib/vitrine-content /var/lib/before
vitrine-contentctl restore /srv/backups/today.tar.gz >/dev/null
vitrine-contentctl keys list | grep -c Anna
echo secret > /etc/vitrine-content/secrets-key
echo '# mine' >> /etc/vitrine-content/service.env
apt-get -q -y install --reinstall /root/service.deb >/dev/null 2>&1
tail -n 1 /etc/vitrine-content/service.env
apt-get -q -y purge vitrine-content 2>/dev/null | grep 'is kept in'
ls -d /var/lib/vitrine-content/content.db
ls /etc/vitrine-content
ls -d /usr/lib/vitrine-content /usr/bin/vitrine-content 2>/dev/null || echo gone
`;

it.runIf(mayMakeDebian)(
  "[V4-359] installs in a fresh Debian, runs as its own user, keeps changed settings, and leaves nothing but its data",
  async () => {
    const words = ["build/setup.mjs", "dist", "service", "deb"];
    const built = await run(process.execPath, words, { cwd: project });
    const deb = /^deb: (\S+),/m.exec(built.stdout)?.[1] ?? "";
    const root = path.join(await temporaryFolder(), "debian");
    await run("debootstrap", ["--variant=minbase", "bookworm", root], {
      maxBuffer: 2 ** 26,
    });
    await copyFile(
      path.join(project, deb),
      path.join(root, "root/service.deb"),
    );
    await writeFile(path.join(root, "root/session.sh"), session);
    const { stdout } = await run(
      "unshare",
      [
        ...["--mount", "--pid", "--fork", "--kill-child"],
        ...["chroot", root, "sh", "/root/session.sh"],
      ],
      { maxBuffer: 2 ** 26 },
    );
    expect(stdout.trim().split("\n")).toEqual([
      "settings 640 root:vitrine-content",
      "data 700 vitrine-content:vitrine-content",
      "key 44",
      "0",
      "health 200",
      // Drawn with a font of the system.
      "text finished",
      "The content service on /var/lib/vitrine-content has stopped.",
      // Of the restored data.
      "1",
      "# mine",
      "The content service's data is kept in /var/lib/vitrine-content.",
      "/var/lib/vitrine-content/content.db",
      "secrets-key",
      "gone",
    ]);
  },
);
