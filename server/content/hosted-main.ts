// Runs the content service as a child process of another program, controlled by messages that are each answered once.

import { connectionSentences } from "../contract/sentences/connection-sentences.ts";
import type {
  HostedAnswer,
  HostedCall,
  HostedCalls,
  HostedQuestion,
  HostedStart,
  HostKeyView,
  MediaRelayReport,
  MediaRelayRequest,
} from "../contract/content-host.ts";
import { Failure } from "../core/failure.ts";
import {
  startMediaProcessesBy,
  type MediaExit,
  type MediaProcess,
} from "../platform/media/start-media-process.ts";
import { endAfter } from "../platform/process/end-process.ts";
import { makePrivateFolder } from "../platform/files/private-folder.ts";
import { invitationLink } from "./people/invitation-link.ts";
import { createContent, type Content } from "./content.ts";
import { readContentConfig } from "./config.ts";
import { parentProcess } from "../platform/process/parent-process.ts";

/** Reachable by its parent only: acting for the manager requires no key. */
const managerKeyName = "the manager on this PC";
const defaultTeam = "Vitrine";

let content: Content | null = null;
// Without its parent the service is not needed.
const parent = parentProcess(() => endAfter(Promise.resolve(content?.stop())));
if (parent === null) throw new Error("This program runs as a child process.");
const post: (
  message: HostedAnswer | { readonly media: MediaRelayRequest },
) => void = parent.post;
let mediaCount = 0;

type Handlers = {
  readonly [Call in HostedCall]: (
    input: HostedCalls[Call]["input"],
  ) => Promise<HostedCalls[Call]["answer"]>;
};

const handlers: Handlers = {
  start,
  listKeys: async () => (await listKeys()).filter(isPersons),
  addKey: ({ name }) => running().keys.add({ name, team: defaultTeam }),
  revokeKey: async ({ id }) => {
    await running().keys.revoke(id);
    return null;
  },
  invite: async ({ email }) => {
    const { address, keys, people } = running();
    const person = await people.findByEmail(email);
    const { secret } = person
      ? await people.reset(person)
      : await people.invite(await keys.teamNamed(defaultTeam), {
          ...{ email, role: "admin", labels: null },
        });
    return invitationLink(address, secret);
  },
  stop: async () => {
    await content?.stop();
    content = null;
    return null;
  },
};

const media = new Map<
  number,
  {
    onMessage: (message: never) => void;
    onExit: (code: MediaExit) => void;
  }
>();

parent.onMessage((message) => {
  if (typeof message === "object" && message !== null && "media" in message)
    onMediaReport(message.media as MediaRelayReport);
  // A question that cannot be answered would leave the parent waiting for ever: the process exits and is restarted.
  else answer(message as HostedQuestion).catch(() => process.exit(1));
});
// A Node child starts the processes that read media itself.
if (parent.isElectron) startMediaProcessesBy(startMediaByParent);

function startMediaByParent(): MediaProcess {
  const number = (mediaCount += 1);
  const request = (
    what: { start: true } | { post: unknown } | { kill: true },
  ): void => post({ media: { process: number, ...what } });
  const listeners = {
    onMessage: (_message: never): void => undefined,
    onExit: (_code: MediaExit): void => undefined,
  };
  media.set(number, listeners);
  request({ start: true });
  return {
    post: (job) => request({ post: job }),
    onMessage: (listener) => (listeners.onMessage = listener),
    onExit: (listener) => (listeners.onExit = listener),
    kill: () => request({ kill: true }),
    // Only the parent knows which process it is.
    processorMs: () => null,
    setWaitedFor: () => undefined,
  };
}

function onMediaReport(report: MediaRelayReport): void {
  const listeners = media.get(report.process);
  if ("message" in report) listeners?.onMessage(report.message as never);
  else {
    media.delete(report.process);
    listeners?.onExit(report.exit);
  }
}

async function answer({ number, call, input }: HostedQuestion): Promise<void> {
  try {
    const handle = handlers[call] as (input: unknown) => Promise<unknown>;
    post({ number, ok: true, value: await handle(input) });
  } catch (error) {
    const isExpected = error instanceof Failure;
    if (!isExpected)
      process.stderr.write(`${String((error as Error).stack)}\n`);
    post({
      ...{ number, ok: false, code: isExpected ? error.code : "bug" },
      message: error instanceof Error ? error.message : String(error),
    });
  }
  if (call === "stop") process.exit(0);
}

async function start({
  version,
  sqliteBinding,
  managerDir,
  ...settings
}: HostedStart): Promise<HostedCalls["start"]["answer"]> {
  const reading = readContentConfig(flagsOf(settings), {});
  if (!reading.ok) throw new Failure("malformed", reading.message);
  makePrivateFolder(reading.value.dataDir);
  content = await createContent({
    ...reading.value,
    ...{ version, sqliteBinding, managerDir },
  });
  // A person creates the first key; and no key of an earlier run remains.
  for (const key of await listKeys())
    if (!isPersons(key) || content.newKey !== null)
      await content.keys.revoke(key.id);
  const managerKey = await content.keys.add({
    name: managerKeyName,
    team: defaultTeam,
  });
  return { address: content.address, managerKey };
}

function flagsOf(
  settings: Omit<HostedStart, "version" | "sqliteBinding" | "managerDir">,
): readonly string[] {
  return [
    ...["--data-dir", settings.dataDir, "--port", String(settings.port)],
    ...["--host", settings.host],
    ...(settings.tlsCert === undefined ? [] : ["--tls-cert", settings.tlsCert]),
    ...(settings.tlsKey === undefined ? [] : ["--tls-key", settings.tlsKey]),
    ...(settings.isDiscoverable ? [] : ["--no-discovery"]),
  ];
}

function running(): Content {
  if (content === null)
    throw new Failure("unavailable", connectionSentences["host-off"]);
  return content;
}

async function listKeys(): Promise<readonly HostKeyView[]> {
  const keys = await running().keys.list();
  return keys.map(({ createdAt, lastUsedAt, ...key }) => ({
    ...{ ...key, createdAtMs: createdAt, lastUsedAtMs: lastUsedAt },
  }));
}

function isPersons({ name }: HostKeyView): boolean {
  return name !== managerKeyName;
}
