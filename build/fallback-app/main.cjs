// Loads the app named on the command line, as Electron's default app does, which a packaged Electron lacks.

"use strict";

const { app } = require("electron");
const { readFileSync, statSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join, resolve } = require("node:path");

const load = createRequire(join(process.cwd(), "any.js"));
const { preload, target } = readArguments(process.argv.slice(1));

process.defaultApp = true;
try {
  for (const file of preload) load(file);
  // Not with import(): what an app must do before Electron is ready would come too late.
  load(entryOf(resolve(target)));
} catch (error) {
  console.error(error);
  app.exit(1);
}

function readArguments(given) {
  const preload = [];
  for (let index = 0; index < given.length; index++) {
    const argument = given[index];
    if (argument === "-r" || argument === "--require")
      preload.push(given[++index]);
    else if (!argument.startsWith("-")) return { preload, target: argument };
  }
  return { preload, target: "." };
}

function entryOf(path) {
  return statSync(path).isDirectory() ? enter(path) : path;
}

function enter(folder) {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (about.version) app.setVersion(about.version);
  if (about.productName || about.name)
    app.name = about.productName ?? about.name;
  if (about.desktopName) app.setDesktopName(about.desktopName);
  app.setAppPath(folder);
  if (!app.commandLine.hasSwitch("user-data-dir"))
    app.setPath("userData", join(app.getPath("appData"), app.name));
  return join(folder, about.main ?? "index.js");
}
