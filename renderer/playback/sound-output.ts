// Where sound comes out: the display's own speakers or the PC's, by the names the system gives its outputs (V2-126).

import type { AudioOutput } from "../../server/core/showing.ts";

/** What systems call the sound of a display: HDMI, DisplayPort, and what a graphics card's sound part is named after. */
const ofDisplays =
  /hdmi|display\s?port|\bdp\d?\b|nvidia|high definition audio.*digital/i;
/** What Chromium lists beside the real outputs. */
const aliases = new Set(["default", "communications"]);

/** An output of the wanted kind; the empty text, which is the system's own choice, where there is none. */
async function idOf(output: AudioOutput): Promise<string> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  const found = devices.find(
    ({ kind, deviceId, label }) =>
      kind === "audiooutput" &&
      !aliases.has(deviceId) &&
      label !== "" &&
      ofDisplays.test(label) === (output === "hdmi"),
  );
  return found?.deviceId ?? "";
}

/** A loudspeaker that cannot be had, or whose system does not answer, keeps no picture from the glass. */
const maxWaitMs = 500;

/** Resolves once it is there; where that cannot be, it stays where it was. */
export async function sendTo(
  element: HTMLMediaElement,
  output: AudioOutput,
): Promise<void> {
  const sent = idOf(output).then((id) =>
    element.sinkId === id ? undefined : element.setSinkId(id),
  );
  const late = new Promise((resolve) => setTimeout(resolve, maxWaitMs));
  await Promise.race([sent.catch(() => undefined), late]);
}
