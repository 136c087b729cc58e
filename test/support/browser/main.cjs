// A browser: windows of the project's Chromium with nothing of Vitrine in them, each at an address that the test gives.

const { app, BrowserWindow } = require("electron");

app.on("window-all-closed", () => {});

global.openWindow = async (address, width, height) => {
  const window = new BrowserWindow({
    ...{ width, height, useContentSize: true, frame: false },
    webPreferences: { sandbox: true, contextIsolation: true },
  });
  await window.loadURL(address);
};
