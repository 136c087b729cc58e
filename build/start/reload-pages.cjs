// Runs in the main process while developing: a page bundled anew is loaded anew.

"use strict";

const { app, webContents } = require("electron");
const { watch } = require("node:fs");
const { join } = require("node:path");

// The app is to see its own flags only: `-r` and this file are not among them.
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
