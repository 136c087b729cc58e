// An audio server with two outputs that lead nowhere: a display's and the PC's own, which is what the system would choose.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { isDeepStrictEqual, promisify } from "node:util";
import { afterThisTest } from "../after-this-test.ts";
import { temporaryFolder, type AtEnd } from "../folder.ts";

const run = promisify(execFile);

export type Output = "display" | "own";

export interface AudioServer {
  /** What an app needs in its environment to find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves when something plays on these outputs and nothing on others. */
  untilAudibleOn(...outputs: readonly Output[]): Promise<void>;
  /** Its output for this long: one channel, 48,000 samples per second. */
  record(output: Output, seconds: number): Promise<Int16Array>;
  /** As when the display is unplugged. */
  unplug(output: Output): Promise<void>;
}

const described: Readonly<Record<Output, string>> = {
  own: "Built-in_Audio_Analog_Stereo",
  display: "HDA_NVidia_Digital_Stereo_(HDMI)",
};

/** Samples per second of a recording. */
export const recordRate = 48_000;

export async function startAudioServer(
  atEnd: AtEnd = afterThisTest,
): Promise<AudioServer> {
  const folder = await temporaryFolder(atEnd);
  const socket = path.join(folder, "native");
  const env = {
    ...{ PULSE_SERVER: `unix:${socket}`, PULSE_RUNTIME_PATH: folder },
    ...{ PULSE_STATE_PATH: folder, HOME: folder },
  };
  const sinks = Object.entries(described).flatMap(([name, description]) => [
    "-L",
    `module-null-sink sink_name=${name} sink_properties=device.description=${description}`,
  ]);
  const server = spawn(
    "pulseaudio",
    [
      ...["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"],
      ...["--disallow-exit", "--log-target=stderr", "-v", ...sinks],
      ...[
        "-L",
        `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
      ],
    ],
    {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = once(server, "exit");
  atEnd(async () => {
    server.kill();
    await ended;
  });
  for await (const line of createInterface(server.stderr))
    if (line.includes("Daemon startup complete")) break;
  server.stderr.resume();

  const runPactl = async (...words: string[]): Promise<string> => {
    const { stdout } = await run("pactl", words, {
      env: { ...process.env, ...env },
    });
    return stdout;
  };

  /** Outputs on which anything plays that is neither muted nor paused. */
  async function audibleOn(): Promise<readonly string[]> {
    const list = async <T>(what: string) =>
      JSON.parse(await runPactl("-f", "json", "list", what)) as readonly T[];
    const inputs = await list<{ sink: number; corked: boolean; mute: boolean }>(
      "sink-inputs",
    );
    const sinks = await list<{ index: number; name: string }>("sinks");
    const playing = inputs.filter(({ corked, mute }) => !corked && !mute);
    return sinks
      .filter(({ index }) => playing.some(({ sink }) => sink === index))
      .map(({ name }) => name);
  }

  async function record(output: Output, seconds: number): Promise<Int16Array> {
    // prettier-ignore
    const recorder = spawn(
      "parec",
      [`--device=${output}.monitor`, "--format=s16le", `--rate=${recordRate}`, "--channels=1", "--raw", "--latency-msec=20"],
      { env: { PATH: process.env["PATH"], ...env }, stdio: ["ignore", "pipe", "ignore"] },
    );
    const expectedBytes = Math.round(seconds * recordRate) * 2;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of recorder.stdout as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= expectedBytes) break;
    }
    recorder.kill();
    const { buffer } = Uint8Array.from(
      Buffer.concat(chunks).subarray(0, expectedBytes),
    );
    return new Int16Array(buffer);
  }

  return {
    ...{ env, record },
    // The server notifies of streams that start and end, but not of those that fall silent.
    untilAudibleOn: async (...outputs) => {
      while (!isDeepStrictEqual(await audibleOn(), outputs));
    },
    unplug: async (output) => {
      const modules = (await runPactl("list", "short", "modules")).split("\n");
      const id = modules
        .find((line) => line.includes(`sink_name=${output} `))
        ?.split("\t")[0];
      await runPactl("unload-module", id ?? "");
    },
  };
}
