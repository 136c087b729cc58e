// Log: one JSON line per event, to standard output and to a rotating file, with secrets removed.

import path from "node:path";
import type { Writable } from "node:stream";
import { pino } from "pino";
import { createStream } from "rotating-file-stream";

type LogFields = Readonly<Record<string, unknown>>;

/** Event names are in the past tense, `component.thing-happened`, with fields. */
export interface Log {
  /** Omitted unless debug logging is on. */
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** The same log with these fields in every line. */
  with(fields: LogFields): Log;
  isDebugging(): boolean;
  /** From the next line on, in every log derived from this one. */
  setDebugging(isOn: boolean): void;
  close(): Promise<void>;
}

const secretFields = new Set([
  "token",
  "authorization",
  "password",
  "headers",
  "js_injection",
]);

export interface LogOptions {
  /** Folder of the rotating file; without it only standard output is written. */
  readonly dir?: string;
  /** Also writes to standard output; the default is true. */
  readonly toStandardOutput?: boolean;
}

export function createLog(options: LogOptions): Log {
  const streams = [];
  const file = options.dir === undefined ? undefined : openLogFile(options.dir);
  const batches = file && inBatches(file);
  const level = "debug";
  if (batches) streams.push({ level, stream: batches } as const);
  if (options.toStandardOutput !== false)
    streams.push({ level, stream: { write: toStandardOutput } } as const);
  const root = pino(
    {
      ...{ base: null, level },
      messageKey: "event",
      timestamp: createLineTime(),
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutSecrets(fields, depthOfSecrets),
      },
      serializers: {
        error: (error: Error) =>
          withoutSecrets({ ...pino.stdSerializers.err(error) }, 1),
      },
    },
    pino.multistream(streams),
  );
  return wrap(root, { isDebugging: false }, async () => {
    batches?.flush();
    await file?.close();
  });
}

/** A stream that has failed accepts no more lines; a new one is opened no sooner than after this. */
const reopenAfterMs = 1_000;

interface LogFile {
  write(lines: string): void;
  close(): Promise<void>;
}

/** A full disk loses the lines written meanwhile: it ends neither the program nor the log. */
function openLogFile(dir: string): LogFile {
  let stream: Writable | null = open();
  let failedAt = 0;
  let isClosed = false;

  function open(): Writable {
    const opened = createStream("vitrine.log", {
      path: path.resolve(dir),
      // Five files of 2 MB hold weeks of a quiet player and never fill an SD card.
      size: "2M",
      maxFiles: 5,
    });
    const fail = (): void => {
      if (stream !== opened) return;
      stream = null;
      failedAt = performance.now();
      opened.destroy();
    };
    opened.on("error", fail);
    opened.once("close", fail);
    return opened;
  }

  return {
    write: (lines) => {
      if (isClosed) return;
      if (stream === null && performance.now() - failedAt > reopenAfterMs)
        stream = open();
      if (stream?.writable) stream.write(lines);
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      const closing = stream;
      if (closing === null || closing.destroyed) return;
      await new Promise<void>((resolve) => {
        closing.once("close", resolve);
        closing.end();
      });
    },
  };
}

/** As ISO 8601; many lines share a second, which is formatted once. */
function createLineTime(): () => string {
  let second = NaN;
  let written = "";
  return () => {
    const now = Date.now();
    const thisSecond = Math.floor(now / 1000);
    if (thisSecond !== second)
      written = new Date(thisSecond * 1000).toISOString().slice(0, 20);
    second = thisSecond;
    const thousandths = String(now - thisSecond * 1000).padStart(3, "0");
    return `,"time":"${written}${thousandths}Z"`;
  };
}

/** Fields of a line, and fields of these. */
const depthOfSecrets = 2;

/**
 * The same fields with each secret redacted. Runs for every request, in a fifth of the time that a general redaction by paths
 * takes.
 */
function withoutSecrets(fields: LogFields, depth: number): LogFields {
  let clean: Record<string, unknown> | null = null;
  for (const name in fields) {
    const value = fields[name];
    const shown = secretFields.has(name)
      ? "[Redacted]"
      : depth > 1 && isPlain(value)
        ? withoutSecrets(value, depth - 1)
        : value;
    if (shown === value) continue;
    clean ??= { ...fields };
    clean[name] = shown;
  }
  return clean ?? fields;
}

/** An error is formatted first. */
function isPlain(value: unknown): value is LogFields {
  return (
    typeof value === "object" && value !== null && !(value instanceof Error)
  );
}

let isRead: boolean | null = null;

/** The reader of standard output may end before this process: then nothing more is written there, and nothing else changes. */
function toStandardOutput(line: string): void {
  if (isRead === null)
    process.stdout.on("error", () => {
      isRead = false;
    });
  isRead ??= true;
  if (isRead) process.stdout.write(line);
}

/** A thirtieth of a second: the info lines that a killed process loses. */
const togetherMs = 30;

/**
 * Lines in quick succession are one write: a busy hour costs the disk as little as possible. Lines above info level are written
 * immediately.
 */
function inBatches(file: Pick<LogFile, "write">) {
  let lines = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const batch = lines;
    lines = "";
    clearTimeout(timer);
    timer = undefined;
    if (batch !== "") file.write(batch);
  };
  return {
    flush,
    write: (line: string): void => {
      if (!line.startsWith('{"level":"info"')) setImmediate(flush);
      timer ??= setTimeout(flush, togetherMs);
      lines += line;
    },
  };
}

function wrap(
  logger: pino.Logger,
  logOptions: { isDebugging: boolean },
  close: () => Promise<void>,
): Log {
  return {
    debug: (event, fields) => {
      if (logOptions.isDebugging) logger.debug(fields ?? {}, event);
    },
    info: (event, fields) => logger.info(fields ?? {}, event),
    warn: (event, fields) => logger.warn(fields ?? {}, event),
    error: (event, fields) => logger.error(fields ?? {}, event),
    with: (fields) =>
      wrap(
        logger.child(withoutSecrets(fields, depthOfSecrets)),
        logOptions,
        close,
      ),
    isDebugging: () => logOptions.isDebugging,
    setDebugging: (isOn) => {
      logOptions.isDebugging = isOn;
    },
    close,
  };
}
