// The demo as a new user sees it: three screens and the manager, two of them right and one wrong with its reason.

import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { follow } from "../support/app/start-app.ts";
import { afterThisTest } from "../support/after-this-test.ts";
import { temporaryFolder } from "../support/folder.ts";
import { openScreen } from "../support/screen/screen.ts";

const minutes = 60_000;

it.runIf(process.platform === "linux")(
  "shows two screens that are right and one that is wrong, with the reason, and leaves nothing behind",
  async () => {
    const temporary = await temporaryFolder();
    const screen = await openScreen(1920, 1440);
    const demo = follow(
      spawn(process.execPath, ["build/demo.ts"], {
        env: {
          ...process.env,
          ...{ DISPLAY: screen.display, TMPDIR: temporary },
        },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    afterThisTest(demo.stop);
    const service = await demo.printed(/Content service +(\S+)/);
    const key = await demo.printed(/API key (\S+)/);
    const states = async () => {
      const response = await fetch(`${service}/api/v3/screens/states/`, {
        headers: { Authorization: `Token ${key}` },
      });
      const screens = (await response.json()) as {
        name: string;
        state: string;
        reason: string | null;
      }[];
      return screens
        .map(({ name, state, reason }) => ({ name, state, reason }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    };
    await expect.poll(states, { timeout: 2 * minutes }).toEqual([
      {
        ...{ name: "Canteen", state: "wrong" },
        reason: expect.stringMatching(/“Lunch menu”: .*could not be reached/),
      },
      { name: "Entrance", state: "right", reason: null },
      { name: "Shop window", state: "right", reason: null },
    ]);
    expect(await demo.stop()).toBe(0);
    expect(await readdir(temporary)).toEqual([]);
  },
  5 * minutes,
);
