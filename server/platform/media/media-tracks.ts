// Reads the index of a video or audio file: tracks, length, first and last packets. Runs only in the media process.

import { open } from "node:fs/promises";
import {
  ALL_FORMATS,
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputTrack,
} from "mediabunny";
import { damaged, judged, type JudgedMedia } from "./media-job.ts";
import { lengthTimeoutMs } from "./media-limits.ts";
import {
  isAudioCodecPlayed,
  isVideoCodecOfSomePcs,
  isVideoCodecPlayed,
  problemOfType,
} from "./accepted-types.ts";
import { isAudioTruncated } from "./audio-truncated.ts";

// Walks the top-level boxes of an MP4 file: one that extends beyond the end of the file is truncated.

/** A fragmented video has two for each fragment. */
const maxBoxes = 200_000;

export async function hasBoxesToItsEnd(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { size: end } = await handle.stat();
    const head = Buffer.alloc(16);
    let at = 0;
    for (let count = 0; at < end && count < maxBoxes; count += 1) {
      const { bytesRead } = await handle.read(head, 0, 16, at);
      // Some writers leave a few stray bytes.
      if (bytesRead < 8) return true;
      const short = head.readUInt32BE(0);
      // Up to the end of the file, wherever that is.
      if (short === 0) return true;
      if (short === 1 && bytesRead < 16) return false;
      const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
      // Not a box: what follows the last one is not part of the video.
      if (size < 8) return true;
      at += size;
    }
    return at <= end;
  } finally {
    await handle.close();
  }
}

export async function judgeMoving(
  file: string,
  type: string,
): Promise<JudgedMedia> {
  const problem = problemOfType(type);
  if (problem !== null) return judged(type, { problem });
  if (/mp4|quicktime|m4[av]|3gpp/.test(type) && !(await hasBoxesToItsEnd(file)))
    return breaksOff(type);
  if (await isAudioTruncated(file, type)) return breaksOff(type);
  const input = new Input({
    source: new FilePathSource(file),
    formats: ALL_FORMATS,
  });
  try {
    return await judgeTracks(input, type);
  } catch {
    // The type is correct, and the stage finds out the rest.
    return judged(type, { tracks: { hasVideo: false, hasAudio: false } });
  } finally {
    input.dispose();
  }
}

async function judgeTracks(input: Input, type: string): Promise<JudgedMedia> {
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  const main = video ?? audio;
  if (main === null) return breaksOff(type);
  if (await isCut(main, true)) return breaksOff(type);
  if (video && audio && (await isCut(audio, false))) return breaksOff(type);
  const videoCodec = video && (await video.getCodec());
  const audioCodec = audio && (await audio.getCodec());
  return judged(type, {
    problem: problemOf({ hasVideo: video !== null, videoCodec, audioCodec }),
    remark: remarkOf({
      isOfSomePcs: isVideoCodecOfSomePcs(videoCodec),
      isSilent: audio !== null && !isAudioCodecPlayed(audioCodec),
      codec: audioCodec,
      isHdr: video !== null && (await isHdr(video)),
    }),
    size: video && {
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
    },
    tracks: { hasVideo: video !== null, hasAudio: audio !== null },
    lengthSeconds: await lengthOf(input),
  });
}

interface Codecs {
  readonly hasVideo: boolean;
  readonly videoCodec: string | null;
  readonly audioCodec: string | null;
}

function problemOf({
  hasVideo,
  videoCodec,
  audioCodec,
}: Codecs): string | null {
  if (hasVideo)
    return isVideoCodecPlayed(videoCodec)
      ? null
      : "This video codec is not supported; use H.264, VP9 or AV1.";
  return isAudioCodecPlayed(audioCodec)
    ? null
    : "This audio codec is not supported; use AAC, MP3, Opus or FLAC.";
}

interface Odd {
  readonly isOfSomePcs: boolean;
  readonly isSilent: boolean;
  readonly codec: string | null;
  readonly isHdr: boolean;
}

function remarkOf(odd: Odd): string | null {
  const { isOfSomePcs, isSilent, codec, isHdr } = odd;
  const remarks = [
    isOfSomePcs
      ? "H.265 (HEVC) plays only on PCs with a decoder; others skip it. H.264 plays everywhere."
      : "",
    isSilent
      ? `Its audio codec${codec === null ? "" : ` (${codec.toUpperCase()})`} is not supported: it plays without sound.`
      : "",
    isHdr ? "HDR video: colors are shown without tone mapping." : "",
  ].filter((sentence) => sentence !== "");
  return remarks.length === 0 ? null : remarks.join(" ");
}

/** Its index lists packets that are missing. A second track without any packet is ignored. */
async function isCut(track: InputTrack, isMain: boolean): Promise<boolean> {
  const sink = new EncodedPacketSink(track);
  const check = async (): Promise<boolean> => {
    if ((await sink.getFirstPacket()) === null) return isMain;
    const last = await sink.getPacket(Infinity);
    if (last === null) return true;
    return (await track.getCodec()) === "flac" && flacSum(last.data) !== 0;
  };
  // A packet that takes too long to find, or cannot be read in this way, does not prove damage.
  return within(
    check().catch(() => false),
    false,
  );
}

/** CRC-16 of a frame including its own checksum at the end: 0 if nothing is missing. */
function flacSum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      sum = (sum & 0x8000 ? (sum << 1) ^ 0x8005 : sum << 1) & 0xffff;
  }
  return sum;
}

async function isHdr(track: {
  hasHighDynamicRange(): Promise<boolean>;
}): Promise<boolean> {
  return within(
    track.hasHighDynamicRange().catch(() => false),
    false,
  );
}

async function lengthOf(input: Input): Promise<number | null> {
  const seconds = await within(input.computeDuration(), NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

async function within<T>(promise: Promise<T>, otherwise: T): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    late = setTimeout(() => resolve(otherwise), lengthTimeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(late);
  }
}

function breaksOff(type: string): JudgedMedia {
  return damaged(
    type,
    `This ${type} file is damaged or incomplete: its tracks cannot be read completely.`,
  );
}
