// The script for a Debian PC and its undoing, in a folder in the place of the system's, with small programs in the place of its own.

import { execFile } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { provision } from "../support/machine/provision.ts";

interface Pc {
  provision(...flags: readonly string[]): Promise<void>;
  /** Of its system and its users. */
  files(): readonly string[];
  masked(): readonly string[];
}

const programs = {
  "apt-get": "",
  chown: "",
  getent: '[ "$1" != passwd ] || echo "$2:x:1000:1000::$here/home/$2:/bin/sh"',
  id: "echo 0",
  passwd: "",
  // What is masked, as systemd keeps it: a file of each.
  systemctl:
    'does=$1; shift; for name; do case $does in mask) : >"$here/masked/$name" ;; unmask) rm -f "$here/masked/$name" ;; esac; done',
  useradd: "",
  usermod: "",
  vitrine: "",
};

async function openPc(has: readonly string[]): Promise<Pc> {
  const here = await temporaryFolder();
  const put = (name: string, content = ""): string => {
    const file = path.join(here, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, 0o755);
    return file;
  };
  mkdirSync(path.join(here, "masked"));
  for (const file of has) put(file);
  for (const [name, does] of Object.entries(programs))
    put(`bin/${name}`, `#!/bin/sh\nhere=${here}\n${does}\n`);
  const script = put(
    "provision.sh",
    provision.replaceAll(
      /(?<![\w/])\/(?=etc\/|usr\/local\/|usr\/share\/)/g,
      `${here}/`,
    ),
  );
  const below = (folder: string): readonly string[] =>
    readdirSync(path.join(here, folder), { recursive: true, encoding: "utf8" })
      .map((name) => path.join(folder, name))
      .filter((name) => !lstatSync(path.join(here, name)).isDirectory());
  return {
    provision: async (...flags) => {
      await promisify(execFile)("sh", [script, ...flags], {
        env: { PATH: `${here}/bin:/usr/bin:/bin` },
      });
    },
    files: () => ["etc", "usr", "home"].flatMap(below).toSorted(),
    masked: () => below("masked"),
  };
}

const others = [
  "etc/apt/apt.conf.d/50unattended-upgrades",
  "etc/lightdm/lightdm.conf.d/60-greeter.conf",
  "home/signage/.config/systemd/user/default.target.wants/backup.service",
  "home/signage/.config/vitrine/vitrine.db",
  "home/board/.config/vitrine/vitrine.db",
  "usr/share/xsessions/openbox.desktop",
].toSorted();

describe.runIf(process.platform === "linux")(
  "a provisioned PC that is undone",
  () => {
    it.each([
      ["its user", []],
      ["a user by another name, which need not be said again", ["board"]],
    ])(
      "has what it had before, for %s, and may sleep; undone again it is the same",
      async (_title, [name]) => {
        const pc = await openPc(others);
        await pc.provision(...(name ? ["--user", name] : []));
        expect(pc.masked()).toHaveLength(4);
        const start = `home/${name ?? "signage"}/.config/systemd/user/graphical-session.target.wants/vitrine.service`;
        expect(pc.files()).toContain(start);
        expect(pc.files().length).toBeGreaterThan(others.length + 9);

        for (let times = 0; times < 2; times += 1) {
          await pc.provision("--undo");
          expect(pc.files()).toEqual(others);
          expect(pc.masked()).toEqual([]);
        }
      },
    );
  },
);
