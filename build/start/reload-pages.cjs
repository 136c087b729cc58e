// Runs in the main process during development: reloads a page when it has been bundled again.

"use strict";

const { app, webContents } = require("electron");
const { watch } = require("node:fs");
const { join } = require("node:path");

// The app must see its own flags only, without `-r` and this file.
const asked = process.argv.indexOf(__filename);
if (asked > 0) process.argv.splice(asked - 1, 2);

const pauseMs = 150;
let waiting;

void app.whenReady().then(() => {
  watch(
    join(__dirname, "..", "..", "dist", "renderer"),
    { recursive: true },
    () => {
      clearTimeout(waiting);
      waiting = setTimeout(reloadOurs, pauseMs);
    },
  );
});

function reloadOurs() {
  for (const contents of webContents.getAllWebContents()) {
    if (!/^https?:/.test(contents.getURL())) contents.reloadIgnoringCache();
  }
}
