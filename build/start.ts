// Opens the app: checks the flags, finds or creates a screen, starts Electron, and returns its exit code.

import { isCommand, readConfig } from "../electron/config.ts";
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
  } = await openStartEnvironment(reading.value, {
    isQuiet: isCommand(reading.value),
  });
  // However the app ends, no virtual screen is left running.
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
