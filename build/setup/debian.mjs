// Maps what Electron and our tests need to the Debian or Ubuntu package that provides it.

import { outputOf } from "./run.mjs";

// The newer name first: since 2024 many libraries have a t64 suffix, and the older name no longer installs.
const packagesOf = {
  Xvfb: ["xvfb"],
  Xvnc: ["tigervnc-standalone-server"],
  openbox: ["openbox"],
  ffmpeg: ["ffmpeg"],
  aria2c: ["aria2"],
  curl: ["curl"],
  jq: ["jq"],
  debootstrap: ["debootstrap"],
  PostgreSQL: ["postgresql"],
  pulseaudio: ["pulseaudio"],
  pactl: ["pulseaudio-utils"],
  gcc: ["build-essential"],
  "g++": ["build-essential"],
  font: ["fonts-dejavu-core"],
  "libgtk-3.so.0": ["libgtk-3-0t64", "libgtk-3-0"],
  "libgdk-3.so.0": ["libgtk-3-0t64", "libgtk-3-0"],
  "libgobject-2.0.so.0": ["libglib2.0-0t64", "libglib2.0-0"],
  "libglib-2.0.so.0": ["libglib2.0-0t64", "libglib2.0-0"],
  "libgio-2.0.so.0": ["libglib2.0-0t64", "libglib2.0-0"],
  "libgmodule-2.0.so.0": ["libglib2.0-0t64", "libglib2.0-0"],
  "libnss3.so": ["libnss3"],
  "libnssutil3.so": ["libnss3"],
  "libsmime3.so": ["libnss3"],
  "libssl3.so": ["libnss3"],
  "libnspr4.so": ["libnspr4"],
  "libasound.so.2": ["libasound2t64", "libasound2"],
  "libgbm.so.1": ["libgbm1"],
  "libdrm.so.2": ["libdrm2"],
  "libcups.so.2": ["libcups2t64", "libcups2"],
  "libatk-1.0.so.0": ["libatk1.0-0t64", "libatk1.0-0"],
  "libatk-bridge-2.0.so.0": ["libatk-bridge2.0-0t64", "libatk-bridge2.0-0"],
  "libatspi.so.0": ["libatspi2.0-0t64", "libatspi2.0-0"],
  "libdbus-1.so.3": ["libdbus-1-3"],
  "libexpat.so.1": ["libexpat1"],
  "libudev.so.1": ["libudev1"],
  "libpango-1.0.so.0": ["libpango-1.0-0"],
  "libpangocairo-1.0.so.0": ["libpangocairo-1.0-0"],
  "libcairo.so.2": ["libcairo2"],
  "libX11.so.6": ["libx11-6"],
  "libX11-xcb.so.1": ["libx11-xcb1"],
  "libxcb.so.1": ["libxcb1"],
  "libXcomposite.so.1": ["libxcomposite1"],
  "libXdamage.so.1": ["libxdamage1"],
  "libXext.so.6": ["libxext6"],
  "libXfixes.so.3": ["libxfixes3"],
  "libXrandr.so.2": ["libxrandr2"],
  "libXss.so.1": ["libxss1"],
  "libxkbcommon.so.0": ["libxkbcommon0"],
  "libxshmfence.so.1": ["libxshmfence1"],
};

/** The name in this machine's package lists; the older one, which most newer packages provide as well, where there are no lists. */
export function packageOf(thing) {
  const names = packagesOf[thing];
  return names?.find(isOffered) ?? names?.at(-1);
}

/** One package provides several libraries. */
export function packagesFor(things) {
  return [...new Set(things.map((thing) => packageOf(thing) ?? thing))];
}

function isOffered(name) {
  return /Candidate: (?!\(none\))/.test(
    outputOf("apt-cache", ["policy", name]),
  );
}
