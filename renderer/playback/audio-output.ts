// Audio output selection: the display's own speakers or the PC's, matched by the system's names of its outputs (V2-126).

import type { AudioOutput } from "../../server/core/showing.ts";

/** How systems name the audio of a display: HDMI, DisplayPort, and the audio part of a graphics card. */
const ofDisplays =
  /hdmi|display\s?port|\bdp\d?\b|nvidia|high definition audio.*digital/i;
/** Aliases that Chromium lists besides the real outputs. */
const aliases = new Set(["default", "communications"]);

/** Id of an output of the requested kind; the empty string, the system default, if there is none. */
async function idOf(output: AudioOutput): Promise<string> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  const device = devices.find(
    ({ kind, deviceId, label }) =>
      kind === "audiooutput" &&
      !aliases.has(deviceId) &&
      label !== "" &&
      ofDisplays.test(label) === (output === "hdmi"),
  );
  return device?.deviceId ?? "";
}

/** An audio output that is unavailable, or whose system does not respond, never delays an image. */
const maxWaitMs = 500;

/** Resolves once the output is in use; if that fails, the previous output stays in use. */
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
