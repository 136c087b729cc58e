// Audio output of the real app, as a sound server sees it.

import { describe, expect, it } from "vitest";
import { set } from "../support/app/shared-screen.ts";
import type { NowV2 } from "../../server/contract/v2/v2-screen.ts";
import { clip, colouredPage, png, servePages } from "../support/media/media.ts";
import { openScreen } from "../support/screen/screen.ts";
import { startAudioServer } from "../support/machine/audio-server.ts";
import { startApp, type AppCalls } from "../support/app/start-app.ts";

/** A page that plays a tone on its own, as an embedded video does. */
const soundingPage = `${colouredPage([90, 20, 160])}<script>
const context = new AudioContext();
const tone = context.createOscillator();
tone.connect(context.destination);
tone.start();
</script>`;

async function showing({ api }: AppCalls): Promise<NowV2["showing"]> {
  const answer = await fetch(`${api}/api/v2/now`);
  return ((await answer.json()) as NowV2).showing;
}

describe.runIf(process.platform === "linux")("audio", () => {
  it("[V2-126] plays on the display or the PC as configured, immediately, and on the system's default when that output is gone", async () => {
    const sounds = await startAudioServer();
    const screen = await openScreen();
    const { env } = sounds;
    const app = await startApp({ screen, env, flags: ["--no-manager"] });
    await app.addFile(await clip({ colour: [9, 99, 9], seconds: 60 }), {
      ...{ name: "film", mimetype: "video", duration: 0 },
    });
    await sounds.untilAudibleOn("display");
    // The API reports it shortly after it is audible.
    await expect.poll(async () => (await showing(app))?.name).toBe("film");
    const since = (await showing(app))?.since;

    await set(app, { audio_output: "local" });
    await sounds.untilAudibleOn("own");
    await set(app, { audio_output: "hdmi" });
    await sounds.untilAudibleOn("display");
    await sounds.unplug("display");
    await sounds.untilAudibleOn("own");
    expect(await showing(app)).toMatchObject({ name: "film", since });
  });

  it("[V2-264] of a page is silent before the page is shown, and is muted and unmuted immediately", async () => {
    const sounds = await startAudioServer();
    const screen = await openScreen();
    const { env } = sounds;
    const app = await startApp({ screen, env, flags: ["--no-manager"] });
    const pages = await servePages({ "/": soundingPage });
    const requests = await app.addFile(png([9, 99, 9]), {
      ...{ name: "image", mimetype: "image" },
    });
    await app.add({ name: "page", uri: `${pages.address}/` });
    await expect.poll(async () => (await showing(app))?.name).toBe("image");
    await sounds.untilAudibleOn();
    await app.remove(requests.asset_id);
    await sounds.untilAudibleOn("own");
    // The API reports it shortly afterwards.
    await expect.poll(async () => (await showing(app))?.name).toBe("page");

    await set(app, { muted: true });
    await sounds.untilAudibleOn();
    await set(app, { muted: false });
    await sounds.untilAudibleOn("own");
    await pages.stop();
  });
});
