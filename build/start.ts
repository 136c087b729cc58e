// Opens the app: flags checked first, a screen found or made, Electron started, its exit code passed on.

import { readConfig } from "../electron/config.ts";
import { onStopSignal, openApp, type OpenApp } from "./start/app.ts";
import { openStartEnvironment } from "./start/start-environment.ts";

const flags = process.argv.slice(2);
const reading = readConfig(flags, process.env);
if (reading.ok) {
  let isStartDue = true;
  let app: OpenApp | undefined;
  onStopSignal(() => {
    isStartDue = false;
    app?.stop();
  });
  const {
    env,
    flags: flagsOfMachine,
    close,
  } = await openStartEnvironment(reading.value);
  // Whatever becomes of the app, no virtual screen is left behind.
  try {
    if (isStartDue) {
      const { dataDir } = reading.value;
      app = openApp({ flags: [...flags, ...flagsOfMachine], env, dataDir });
      process.exitCode = await app.ended;
    }
  } finally {
    close();
  }
} else {
  console.error(reading.message);
  process.exitCode = 2;
}
