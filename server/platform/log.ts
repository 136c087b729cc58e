// One JSON line per event, to standard output and to a rotating file, with secrets removed.

import path from "node:path";
import { pino } from "pino";
import { createStream } from "rotating-file-stream";

type LogFields = Readonly<Record<string, unknown>>;

/** Events have names in the past tense, `organ.thing-happened`, and fields. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** The same log with these fields in every line. */
  with(fields: LogFields): Log;
  close(): Promise<void>;
}

const secretFields = [
  "token",
  "authorization",
  "password",
  "headers",
  "js_injection",
];

export interface LogOptions {
  /** Folder of the rotating file; without it only standard output is written. */
  readonly dir?: string;
  /** Also to standard output; the default is true. */
  readonly toStandardOutput?: boolean;
}

export function createLog(options: LogOptions): Log {
  const streams = [];
  const file = options.dir
    ? createStream("vitrine.log", {
        path: path.resolve(options.dir),
        // Five files of 2 MB hold weeks of a quiet player and never fill a card.
        size: "2M",
        maxFiles: 5,
      })
    : undefined;
  // A full disk must not end the player for want of a log line.
  file?.on("error", () => undefined);
  if (file) streams.push({ stream: file });
  if (options.toStandardOutput !== false)
    streams.push({ stream: process.stdout });
  const root = pino(
    {
      base: null,
      messageKey: "event",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: secretFields.flatMap((name) => [name, `*.${name}`]),
      serializers: { error: pino.stdSerializers.err },
    },
    pino.multistream(streams),
  );
  return wrap(root, async () => {
    if (!file) return;
    await new Promise<void>((resolve) => {
      file.once("close", resolve);
      file.end();
    });
  });
}

function wrap(logger: pino.Logger, close: () => Promise<void>): Log {
  return {
    info: (event, fields) => logger.info(fields ?? {}, event),
    warn: (event, fields) => logger.warn(fields ?? {}, event),
    error: (event, fields) => logger.error(fields ?? {}, event),
    with: (fields) => wrap(logger.child(fields), close),
    close,
  };
}
